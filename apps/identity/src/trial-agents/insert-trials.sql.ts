import { appendFirstEvents } from '@capability-router/event-store';
import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { eventOfFact } from '../accounts/append-account-event.js';
import type { NewTrial } from './new-trial.js';

const rowsSql = `
input AS (
  SELECT * FROM json_to_recordset($9::json) AS i (account_id text, agent_id text, agent_name text, model text, purpose text,
    claim_code_hash text, trial_micro_credits bigint, api_key_id uuid, key_hash text, masked_value text, key_name text,
    scopes json, registered_at timestamptz, expires_at timestamptz)
), opened AS (
  INSERT INTO accounts (account_id, kind, status, name, opened_at)
  SELECT account_id, 'trial', 'active', agent_name, registered_at FROM input
), keyed AS (
  INSERT INTO api_keys (api_key_id, account_id, key_hash, masked_value, name, scopes, issued_at, expires_at)
  SELECT api_key_id, account_id, decode(key_hash, 'hex'), masked_value, key_name,
         ARRAY(SELECT json_array_elements_text(scopes)), registered_at, expires_at
    FROM input
), agents AS (
  INSERT INTO trial_agents (agent_id, account_id, agent_name, model, purpose, claim_code_hash, trial_micro_credits,
         registered_at, expires_at)
  SELECT agent_id, account_id, agent_name, model, purpose, decode(claim_code_hash, 'hex'), trial_micro_credits, registered_at,
         expires_at
    FROM input
)`;

/** Accounts, first keys, agents and events of all of them in one statement, in the caller's transaction. */
export function insertTrials(tx: pg.ClientBase, trials: readonly NewTrial[]): Promise<void> {
  const items = trials.flatMap(({ facts, command: { nowMs } }) =>
    facts.map((fact) => ({ streamId: fact.data.accountId, event: eventOfFact(fact, nowMs) })),
  );
  const json = JSON.stringify(trials.map(toRow));
  return appendFirstEvents(tx, 'identity', items, { name: 'insert-trials', ctes: rowsSql, json });
}

const toRow = ({ command, agent, key, claimCodeHash }: NewTrial): Record<string, unknown> => ({
  account_id: agent.accountId,
  agent_id: agent.agentId,
  agent_name: agent.agentName,
  model: command.model,
  purpose: command.purpose,
  claim_code_hash: claimCodeHash.toString('hex'),
  trial_micro_credits: agent.trialCredits.toString(),
  api_key_id: key.apiKeyId,
  key_hash: key.keyHash.toString('hex'),
  masked_value: key.maskedValue,
  key_name: key.issued.name,
  scopes: key.issued.scopes,
  registered_at: toIso(command.nowMs),
  expires_at: toIso(agent.expiresAtMs),
});
