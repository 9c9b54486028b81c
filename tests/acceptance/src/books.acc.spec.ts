import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { settledUsageOf } from './support/audit.js';
import { caprouter, caprouterAsAdmin, caprouterJson, type Ran } from './support/caprouter.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { asNumber, asObject, asString, type JsonObject } from './support/json.js';
import { micro } from './support/money.js';
import { paidCall } from './support/tools.js';

const CALLS = 3;
/** Milliseconds; each look is a process of its own. */
const WATERMARK_TIMEOUT_MS = 120_000;

describe('the books, read beside the deployment', () => {
  const startedAt = new Date(Date.now() - 1_000).toISOString();
  let account: TestAccount;
  let lastEffectiveMs = 0;
  let spentMicro = 0;

  beforeAll(async () => {
    account = await newAccount(50);
    for (let call = 0; call < CALLS; call += 1) {
      const reply = await execute(account.key, paidCall);
      expect(reply.json['success']).toBe(true);
      spentMicro += micro(asObject(reply.json['billing'])['list_amount_credits']);
      const row = await settledUsageOf(account.key, reply.json['execution_id']);
      lastEffectiveMs = Math.max(lastEffectiveMs, Date.parse(asString(row['effective_at'])));
    }
    // Wrong parameters: it ends without a charge, and is compared like the others.
    await execute(account.key, { toolId: paidCall.toolId, parameters: { year: 'none' } });
  });

  it('tell the same in executions, ledger, audit and topic, once the watermark has passed', async () => {
    const reports: JsonObject[] = [];
    await eventually(async () => {
      const { exitCode, json } = await caprouterJson('reconcile', '--from', startedAt);
      reports.push({ ...json, exitCode });
      expect(Date.parse(asString(json['to']))).toBeGreaterThan(lastEffectiveMs);
    }, WATERMARK_TIMEOUT_MS);
    // On the way there too: what is not settled yet is no difference.
    for (const each of reports) {
      expect(each).toEqual(expect.objectContaining({ exitCode: 0, equal: true, differences: [] }));
    }
    const report = asObject(reports.at(-1));
    const charges = asObject(asObject(report['entry_types'])['consume_tool_execute']);
    const ledger = asObject(charges['ledger']);
    // Other tests call meanwhile.
    expect(asNumber(ledger['count'])).toBeGreaterThanOrEqual(CALLS);
    expect(-Number(ledger['amount_micro_credits'])).toBeGreaterThanOrEqual(spentMicro);
    expect(charges['audit']).toEqual(ledger);
    expect(charges['executions']).toEqual(ledger);
    const hasTopic = report['bus'] === 'kafka';
    expect(report['topic_compared']).toBe(hasTopic);
    expect(charges['topic']).toEqual(hasTopic ? ledger : null);
  });

  it('are sound: every chain recomputes, and what was published is what the ledger holds', async () => {
    const { exitCode, json } = await caprouterJson('ledger', 'verify');
    expect([exitCode, json['findings']]).toEqual([0, []]);
    expect(json['sound']).toBe(true);
    expect(asNumber(json['entries'])).toBeGreaterThan(CALLS);
    expect(json['topic'] === null).toBe(json['bus'] === 'embedded');
  });

  it('can be verified for one account alone', async () => {
    const { exitCode, json } = await caprouterJson('ledger', 'verify', '--account', account.accountId, '--no-topic');
    expect(exitCode).toBe(0);
    expect(json).toEqual(expect.objectContaining({ sound: true, accounts: 1, heads: 1, entries: CALLS + 1 }));
  });

  it('have beside them who did what, as a topic that proves by its records alone that nothing is missing', async () => {
    const verify = (...args: string[]): Promise<Ran> =>
      caprouterAsAdmin('--json', 'security-log', 'verify', '--account', account.accountId, ...args);
    const log = await verify();
    expect(JSON.parse(log.stdout)).toMatchObject({ sound: true, entries: expect.any(Number) });
    if ((process.env['KAFKA_BROKERS'] ?? '') === '') {
      expect(await verify('--topic')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('KAFKA_BROKERS') });
      return;
    }
    await eventually(async () => {
      const { stdout, ...rest } = await verify('--topic');
      expect([rest, JSON.parse(stdout)]).toEqual([
        { exitCode: 0, stderr: '' },
        { ...JSON.parse(log.stdout), malformed_records: 0, deleted_records: 0 },
      ]);
    }, WATERMARK_TIMEOUT_MS);
  });

  it.each([
    [['reconcile', '--from', 'yesterday'], '--from'],
    [['reconcile', '--from', '2026-01-02', '--to', '2026-01-01'], '--from must be before --to'],
    [['reconcile', '--since', '2026-01-02'], '--since'],
    [['ledger', 'verify', '--account', 'somebody'], '--account'],
  ])('answer %j with exit code 2 and what is wrong', async (args, said) => {
    const { exitCode, stdout, stderr } = await caprouter(...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(said);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
