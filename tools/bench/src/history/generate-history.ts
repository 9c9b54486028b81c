import type pg from 'pg';
import { HISTORY_DAYS, measuredAccounts, OTHER_ACCOUNTS } from './sizes.js';

/** Rows of one statement. */
const CHUNK = 250_000;
const DAY_MS = 86_400_000;
/** Prime to every size here, so that the rows of an account lie spread over the whole time. */
const STRIDE = 7_919;
const PRICE_MICRO = 500_000;
const TABLES = ['usage_events', 'usage_facts', 'ledger_entries'];

export interface HistoryAccount {
  readonly accountId: string;
  readonly rows: number;
}

export interface HistoryOptions {
  readonly rows: number;
  /** Facts and settlements alone, of which the audit is then rebuilt. */
  readonly factsOnly?: boolean;
  readonly log: (line: string) => void;
}

const accountIdOf = (index: number): string => `acc_${index.toString(16).padStart(32, '0')}`;

/**
 * Fills an empty database of billing with the ends of paid calls and their charges: dense sequences, balances that add
 * up, links both ways, spread over the months before now. Hashes are of the right form and recompute to nothing.
 * @returns the accounts to measure, smallest first
 */
export async function generateHistory(
  owner: pg.Pool,
  { rows, factsOnly = false, log }: HistoryOptions,
): Promise<HistoryAccount[]> {
  const nowMs = Date.now();
  const startMs = nowMs - HISTORY_DAYS * DAY_MS;
  await partitionFrom(owner, new Date(startMs));
  const sizes = measuredAccounts(rows);
  await planRows(owner, rows, sizes);
  const span = [startMs, (nowMs - startMs) / rows];
  for (let from = 1; from <= rows; from += CHUNK) {
    const range = [from, Math.min(from + CHUNK - 1, rows), ...span];
    const fill = factsOnly ? [factsSql] : [usageSql, ledgerSql];
    await Promise.all([settledSql, ...fill].map((sql) => owner.query(sql, range)));
    if (from > 1 && (from - 1) % (CHUNK * 4) === 0) log(`${from - 1} rows of history`);
  }
  await owner.query('ANALYZE ledger_entries');
  await owner.query(headsSql);
  await owner.query(`SELECT setval('usage_record_seq', $1), setval('ledger_entry_position', $1)`, [rows + 1]);
  await owner.query('DROP TABLE bench_plan');
  await owner.query('VACUUM ANALYZE');
  return sizes.map((size, index) => ({ accountId: accountIdOf(index + 1), rows: size }));
}

/** Gives the months of the history partitions of their own: as if the partition job had run since they began. */
async function partitionFrom(owner: pg.Pool, start: Date): Promise<void> {
  const month = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth(), 1));
  for (const table of TABLES) {
    const { rows } = await owner.query<{ bound: string }>('SELECT partition_bound($1::regclass, $2) AS bound', [
      table,
      month,
    ]);
    await owner.query(`ALTER TABLE ${table} DETACH PARTITION ${table}_first`);
    await owner.query(
      `ALTER TABLE ${table} ATTACH PARTITION ${table}_first FOR VALUES FROM (MINVALUE) TO ('${rows[0]?.bound ?? ''}')`,
    );
    for (let added = true; added;) {
      const answer = await owner.query<{ added: boolean }>(
        `SELECT extend_partitions($1, now() + interval '2 months') AS added`,
        [table],
      );
      added = answer.rows[0]?.added === true;
    }
  }
}

/** Which account each row is of, and its place in that account. */
async function planRows(owner: pg.Pool, rows: number, sizes: readonly number[]): Promise<void> {
  let below = 0;
  const cases = sizes.map((size, index) => {
    below += size;
    return `WHEN p < ${below} THEN ${index + 1}`;
  });
  await owner.query(`
    CREATE UNLOGGED TABLE bench_plan AS
    SELECT i, account, 'acc_' || lpad(to_hex(account), 32, '0') AS account_id, row_number() OVER (PARTITION BY account ORDER BY i) AS seq
      FROM (SELECT i, CASE ${cases.join(' ')} ELSE ${sizes.length + 1} + p % ${OTHER_ACCOUNTS} END::int AS account
              FROM (SELECT i, (i * ${STRIDE}) % ${rows} AS p FROM generate_series(1::bigint, ${rows}) AS i) AS spread) AS placed`);
  await owner.query('CREATE UNIQUE INDEX ON bench_plan (i)');
  await owner.query('ANALYZE bench_plan');
}

/** Rows $1 to $2; row i was at $3 + i * $4 milliseconds. */
const planned = `
  SELECT plan.*, to_timestamp(at.ms / 1000.0) AS at, at.hex || '7' || substr(md5(i::text), 1, 3) || '8' || substr(md5(i::text), 4, 15) AS hex,
         at.hex || '7' || substr(md5(-i || ''), 1, 3) || '8' || substr(md5(-i || ''), 4, 15) AS entry_hex
    FROM bench_plan AS plan,
         LATERAL (SELECT ($3::float8 + i * $4::float8)::bigint AS ms,
                         lpad(to_hex(($3::float8 + i * $4::float8)::bigint), 12, '0') AS hex) AS at
   WHERE i BETWEEN $1::bigint AND $2::bigint`;
/** The first row of an account is its grant; the others are charges. */
const charges = `${planned} AND seq > 1`;

const bill = `'{"summary": "1 call × 0.5 credits", "listAmountMicroCredits": "${PRICE_MICRO}", "chargeLines": [{"componentKey": "call", "description": "Evaluate a mathematical expression", "quantity": 1, "unitLabel": "call", "amountMicroCredits": "${PRICE_MICRO}"}]}'::jsonb`;
const rule = `'{"metering": {"kind": "call"}, "amountMicroCredits": "${PRICE_MICRO}", "unitLabel": "call"}'::jsonb`;
const entryId = `'led_' || entry_hex`;

const settledSql = `
INSERT INTO settlements (source_ref_id, account_id, status, requested_micro, settled_micro, ledger_entry_id, settlement_seq, settled_at)
SELECT 'exec_' || hex, account_id, 'settled', ${PRICE_MICRO}, ${PRICE_MICRO}, ${entryId}, seq, at + interval '20 ms' FROM (${charges}) AS p ORDER BY i`;

const usageSql = `
INSERT INTO usage_events (id, account_id, effective_at, recorded, record_seq, event_type, source_system, source_ref_type, source_ref_id,
  session_id, execution_id, tool_id, provider_id, api_key_id, credential_type, success, transport_success, provider_success, result_valid,
  billable_success, outcome, reason_code, user_message, http_status_code, retryable, duration_ms, billing_rule, bill, requested_micro,
  settlement_status, settled_micro, ledger_entry_id, settled_at)
SELECT hex::uuid, account_id, at, true, i, 'tool_execute', 'execution', 'execution', 'exec_' || hex, 'bench-session', 'exec_' || hex,
  'formula.expression.evaluate.v1', 'formula', '0198f3f2-a7c0-7b5e-8a54-d0b1c2d3e4f5', 'api_key', true, true, true, true, true, 'success',
  'result.valid', 'The tool returned a valid result.', 200, false, 4.2, ${rule}, ${bill}, ${PRICE_MICRO}, 'settled', ${PRICE_MICRO},
  ${entryId}, at + interval '20 ms' FROM (${charges}) AS p ORDER BY i`;

const hashOf = (seq: string): string => `encode(sha256((account_id || ':' || (${seq}))::bytea), 'hex')`;
const ledgerSql = `
INSERT INTO ledger_entries (entry_id, account_id, entry_seq, entry_type, amount_micro, balance_before_micro, balance_after_micro,
  source_system, source_ref_type, source_ref_id, execution_id, description, metadata, pre_settlement_bill, settlement_result,
  effective_at, created_at, previous_hash, hash, tx_order, position)
SELECT ${entryId}, account_id, seq, CASE seq WHEN 1 THEN 'grant_welcome_bonus' ELSE 'consume_tool_execute' END,
  CASE seq WHEN 1 THEN 1000000000000 ELSE -${PRICE_MICRO} END,
  CASE seq WHEN 1 THEN 0 ELSE 1000000000000 - (seq - 2) * ${PRICE_MICRO} END, 1000000000000 - (seq - 1) * ${PRICE_MICRO},
  'execution', CASE seq WHEN 1 THEN 'account' ELSE 'execution' END, CASE seq WHEN 1 THEN account_id ELSE 'exec_' || hex END,
  CASE WHEN seq > 1 THEN 'exec_' || hex END, 'formula.expression.evaluate.v1', '{"tool_id": "formula.expression.evaluate.v1"}',
  '{"summary": "1 call × 0.5 credits", "list_amount_micro_credits": "${PRICE_MICRO}"}',
  '{"status": "settled", "settled_amount_micro_credits": "${PRICE_MICRO}"}', at, at + interval '20 ms',
  CASE seq WHEN 1 THEN repeat('0', 64) ELSE ${hashOf('seq - 1')} END, ${hashOf('seq')}, 1, i FROM (${planned}) AS p ORDER BY i`;

const factsSql = `
INSERT INTO usage_facts (event_id, topic, type, subject, account_id, effective_at, record_seq, data)
SELECT entry_hex::uuid, 'internal.execution.executions.v1', 'ExecutionCompleted', 'exec_' || hex, account_id, at, i, jsonb_build_object(
  'executionId', 'exec_' || hex, 'accountId', account_id, 'eventType', 'tool_execute', 'apiKeyId', '0198f3f2-a7c0-7b5e-8a54-d0b1c2d3e4f5',
  'credentialType', 'api_key', 'toolId', 'formula.expression.evaluate.v1', 'toolVersion', 1, 'providerId', 'formula',
  'sessionId', 'bench-session', 'parametersHash', repeat('f', 64), 'parametersBytes', 120, 'priceRule', ${rule},
  'holdMicroCredits', '${PRICE_MICRO}', 'success', true, 'bill', ${bill}, 'httpStatusCode', 200, 'durationMs', 4.2,
  'startedAt', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'completedAt', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'resultBytes', 64, 'resultHash', repeat('e', 64),
  'outcome', '{"outcome": "success", "reasonCode": "result.valid", "transportSuccess": true, "providerSuccess": true, "billableSuccess": true, "resultValid": true, "userMessage": "The tool returned a valid result.", "retryable": false}'::jsonb
) FROM (${charges}) AS p ORDER BY i`;

const headsSql = `
WITH heads AS (SELECT account_id, max(seq) AS seq FROM bench_plan GROUP BY 1), lots AS (
  INSERT INTO credit_lots (lot_id, account_id, category, granted_micro, remaining_micro, granted_at, grant_ref, ledger_entry_id)
  SELECT 'lot_' || account_id, account_id, 'welcome_bonus', 1000000000000, 1000000000000 - (seq - 1) * ${PRICE_MICRO}, e.effective_at,
         'bench:' || account_id, e.entry_id
    FROM heads JOIN ledger_entries e USING (account_id) WHERE e.entry_seq = 1
), written AS (
  INSERT INTO ledger_heads (account_id, entry_seq, balance_micro, last_hash, last_tx_order, settlement_seq)
  SELECT account_id, seq, 1000000000000 - (seq - 1) * ${PRICE_MICRO}, ${hashOf('seq')}, 1, seq FROM heads
)
INSERT INTO account_balances (account_id, balance_micro) SELECT account_id, 1000000000000 - (seq - 1) * ${PRICE_MICRO} FROM heads`;
