import { toIso } from '@capability-router/kernel';
import type { Credits } from '@capability-router/kernel';
import type pg from 'pg';

const sql = `
INSERT INTO trial_agents
       (agent_id, account_id, agent_name, model, purpose, claim_code_hash, trial_micro_credits, registered_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

export interface TrialAgentRow {
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

export async function insertTrialAgent(tx: pg.ClientBase, row: TrialAgentRow): Promise<void> {
  await tx.query(sql, [
    row.agentId,
    row.accountId,
    row.agentName,
    row.model ?? null,
    row.purpose ?? null,
    row.claimCodeHash,
    row.trialCredits.toString(),
    toIso(row.registeredAtMs),
    toIso(row.expiresAtMs),
  ]);
}
