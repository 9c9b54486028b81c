import type pg from 'pg';
import { trialAgentsIn } from './trial-agents-in.js';

/** Removes what the agent said of itself and its claim code. Removes nothing where the account is no agent's. */
export async function removeTrialAgent(tx: pg.ClientBase, accountId: string): Promise<void> {
  await (await trialAgentsIn(tx)).delete({ accountId });
}
