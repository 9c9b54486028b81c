import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listUsage, read, settledUsageOf } from './support/audit.js';
import { caprouter, caprouterJson } from './support/caprouter.js';
import { execute } from './support/execute.js';
import { asArray, asNumber, asObject, asString, type JsonObject } from './support/json.js';
import { paidCall } from './support/tools.js';

const CALLS_BEFORE = 3;
/** A rebuild that takes longer than these is not kept company to its end. */
const MAX_CALLS_MEANWHILE = 150;
/** More than all calls of this file. */
const PAGE_SIZE = 200;

describe('a rebuild of the usage audit', () => {
  let account: TestAccount;
  beforeAll(async () => {
    account = await newAccount();
    for (let calls = 0; calls < CALLS_BEFORE; calls += 1) await settled(await paid());
  });

  async function paid(): Promise<string> {
    const reply = await execute(account.key, paidCall);
    expect(reply.json['success']).toBe(true);
    return asString(reply.json['execution_id'], 'execution_id');
  }
  const settled = (executionId: string): Promise<JsonObject> => settledUsageOf(account.key, executionId);
  /** When the last of the calls before took effect. */
  let reachedAt = '';
  const rows = (): Promise<unknown[]> => listUsage(account.key, { end_date: reachedAt });
  async function feed(query: Readonly<Record<string, string | number>>): Promise<JsonObject> {
    const reply = await read('/auth/usage/history/v2/summary', { key: account.key, query });
    expect(reply.status).toBe(200);
    return asObject(reply.json['data']);
  }

  it('changes no row, no id and no place of a cursor, and misses no call that is made meanwhile', async () => {
    const first = await feed({ page_size: 1 });
    reachedAt = asString(asObject(asArray(first['items'])[0])['effective_at']);
    const before = await rows();
    expect(before).toHaveLength(CALLS_BEFORE);

    const rebuild = { ended: false };
    const report = caprouterJson('projections', 'rebuild', 'usage-audit').finally(() => (rebuild.ended = true));
    const meanwhile: string[] = [];
    do meanwhile.push(await paid());
    while (!rebuild.ended && meanwhile.length < MAX_CALLS_MEANWHILE);
    const { exitCode, json } = await report;
    expect([exitCode, json['projection'], json['kept']]).toEqual([0, 'usage-audit', 0]);
    expect(asNumber(json['version'])).toBeGreaterThan(0);
    expect(asNumber(json['facts'])).toBeGreaterThanOrEqual(CALLS_BEFORE);

    expect(await rows()).toEqual(before);
    const second = await feed({ page_size: 10, cursor: asString(first['next_cursor'], 'next_cursor') });
    expect(asArray(second['items']).map((item) => asObject(item)['id'])).toEqual(
      before.slice(1).map((row) => asObject(row)['id']),
    );
    for (const executionId of meanwhile) {
      expect(await settled(executionId)).toMatchObject({ charge_outcome: 'charged' });
    }
    // The services write to what was switched to.
    expect(await settled(await paid())).toMatchObject({ charge_outcome: 'charged' });
    const executions = (await listUsage(account.key, { page_size: PAGE_SIZE })).map(
      (row) => asObject(row)['execution_id'],
    );
    expect(new Set(executions).size).toBe(executions.length);
    expect(executions).toHaveLength(CALLS_BEFORE + meanwhile.length + 1);
  });

  it('that was not begun cannot be given up, and one of nothing is refused with exit code 2', async () => {
    const discarded = await caprouterJson('projections', 'rebuild', 'usage-audit', '--discard');
    expect(discarded).toEqual({ exitCode: 0, json: { projection: 'usage-audit', discarded: false } });
    const { exitCode, stdout, stderr } = await caprouter('projections', 'rebuild', 'ledger');
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('usage-audit');
  });
});
