/** Reading the audit and the ledger of an account, as a client would. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { eventually } from './eventually.js';
import { call, type CallOptions, type Reply } from './http.js';
import { asArray, asNumber, asObject, type JsonObject } from './json.js';

const MS_PER_SECOND = 1_000;
/** Times that a reader is asked to come again, each time in a second or more. */
const MAX_ATTEMPTS = 30;

type Query = Readonly<Record<string, string | number | boolean>>;

export async function listUsage(key: string, query: Query = {}): Promise<JsonObject[]> {
  return items(key, '/auth/usage/history/v2', query);
}

export async function listLedger(key: string, query: Query = {}): Promise<JsonObject[]> {
  return items(key, '/auth/credits/ledger', query);
}

/** The ledger entries by which the account paid, newest first. */
export async function listCharges(key: string): Promise<JsonObject[]> {
  return (await listLedger(key)).filter((entry) => String(entry['entry_type']).startsWith('consume_'));
}

async function items(key: string, path: string, query: Query): Promise<JsonObject[]> {
  const reply = await read(path, { key, query });
  return asArray(asObject(reply.json['data'], 'data')['items'], 'items').map((item) => asObject(item));
}

/**
 * Reads again what was answered with 503: a rebuild that another test runs keeps readers waiting for a moment, and the
 * answer says when to come again.
 */
export async function read(path: string, options: CallOptions): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await call('GET', path, options);
    if (reply.status !== 503 || attempt === MAX_ATTEMPTS) return reply;
    await sleep(Number(reply.headers.get('retry-after')) * MS_PER_SECOND);
  }
}

/** The one audit row of an execution, once its settlement is final. */
export function settledUsageOf(key: string, executionId: unknown): Promise<JsonObject> {
  return eventually(async () => {
    const rows = await listUsage(key, { execution_id: String(executionId) });
    expect(rows).toHaveLength(1);
    const row = asObject(rows[0]);
    expect(row['billing_snapshot_status']).not.toBe('pending');
    return row;
  });
}

/** The credits that can still be spent. */
export async function remainingCredits(key: string): Promise<number> {
  const reply = await call('GET', '/auth/credits', { key });
  return asNumber(asObject(reply.json['data'], 'data')['remaining_credits'], 'remaining_credits');
}
