import type { Credits } from '@capability-router/kernel';
import type pg from 'pg';
import { trialAgentsIn } from './trial-agents-in.js';

export interface TrialAgent {
  readonly agentId: string;
  readonly accountId: string;
  readonly agentName: string;
  readonly model?: string;
  readonly purpose?: string;
  readonly claimCodeHash: Buffer;
  readonly trialCredits: Credits;
  readonly registeredAtMs: number;
  readonly expiresAtMs: number;
}

export async function insertTrialAgent(tx: pg.ClientBase, agent: TrialAgent): Promise<void> {
  const { agentId, accountId, agentName, model, purpose, claimCodeHash } = agent;
  await (
    await trialAgentsIn(tx)
  ).insert({
    agentId,
    accountId,
    agentName,
    model: model ?? null,
    purpose: purpose ?? null,
    claimCodeHash,
    trialMicroCredits: agent.trialCredits.toString(),
    registeredAt: new Date(agent.registeredAtMs),
    expiresAt: new Date(agent.expiresAtMs),
  });
}
