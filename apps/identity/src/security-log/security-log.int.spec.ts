import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock, uuidv7 } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import { ADDRESS, operator, ReadSecurityLog } from '../test-support/read-security-log.js';
import { RunningIdentity, type Answer } from '../test-support/running-identity.js';
import { appendEntries } from './chain/append-entries.js';
import { BEGINNING } from './verify/verify-chains.js';
import { verifyLog } from './verify/verify-log.js';

const nowMs = Date.UTC(2026, 0, 15, 12);

let identity: RunningIdentity;
let log: ReadSecurityLog;
beforeAll(async () => {
  identity = await RunningIdentity.start(new ManualClock(nowMs));
  log = new ReadSecurityLog(identity);
  await log.openOperator();
});
afterAll(() => identity.stop());

const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, body?: unknown, account = operator): Promise<Answer> =>
  identity.call({ method, url, account, clientAddress: ADDRESS, ...(body === undefined ? {} : { body }) });
const dataOf = ({ body }: Answer): Record<string, unknown> => body['data'] as Record<string, unknown>;
const kindsFound = async (accountId: string): Promise<unknown[]> =>
  ((await log.verification(accountId))['findings'] as { kind: string }[]).map(({ kind }) => kind);
const change = (sql: string, ...values: unknown[]): Promise<unknown> => identity.database.owner.query(sql, values);

/** Appends in a transaction of its own, as replicas do at the same time. */
const append = (accountId: string, index: number, entryId = uuidv7(nowMs)): Promise<void> =>
  inTransaction(identity.database.pool, (tx) =>
    appendEntries(
      tx,
      [{ entryId, action: 'test.done', accountId, actor: { type: 'system' }, occurrences: index + 1 }],
      nowMs,
      'again',
    ),
  );

describe('the security log', () => {
  it('says who revoked a key, by which credential, when and from where', async () => {
    const { accountId, keyId } = await log.openAccount();
    await ask('DELETE', `/admin/v1/api-keys/${keyId}`);
    const entries = await log.list(`account_id=${accountId}`);
    expect(entries.map((entry) => [entry['entry_seq'], entry['action']])).toEqual([
      [3, 'key.revoked'],
      [2, 'key.issued'],
      [1, 'account.opened'],
    ]);
    expect(entries[0]).toMatchObject({
      account_id: accountId,
      actor: {
        type: 'operator',
        account_id: operator.accountId,
        api_key_id: operator.apiKeyId,
        credential_type: 'api_key',
      },
      object: { type: 'api_key', id: keyId },
      occurrences: 1,
      request_id: expect.any(String),
      recorded_at: '2026-01-15T12:00:00.000Z',
      details: { client_address: ADDRESS },
    });
    expect(entries[1]?.['details']).toMatchObject({ name: 'laptop of Ada' });
    expect(await log.verification(accountId)).toEqual({ sound: true, entries: 3, findings: [] });
  });

  it('has an entry for no change that failed', async () => {
    const { accountId, keyId } = await log.openAccount();
    await ask('DELETE', `/admin/v1/api-keys/${keyId}`);
    await ask('DELETE', `/admin/v1/api-keys/${keyId}`);
    await ask('POST', `/admin/v1/accounts/${accountId}:resume`);
    expect(await log.list(`account_id=${accountId}`)).toHaveLength(3);
  });

  it('says of each of those that register at the same time where it came from, in a chain of its own that is sound', async () => {
    const addresses = Array.from({ length: 12 }, (_, index) => `203.0.${index}.7`);
    const registered = await Promise.all(
      addresses.map(async (clientAddress) => {
        const url = '/api/v1/agent/anonymous-register';
        const answer = await identity.call({ method: 'POST', url, body: { agent_name: 'scout' }, clientAddress });
        return { clientAddress, accountId: String(dataOf(answer)['account_id']) };
      }),
    );
    for (const { clientAddress, accountId } of registered) {
      const entries = await log.list(`account_id=${accountId}`);
      expect(entries.map((entry) => entry['action'])).toEqual(['key.issued', 'trial.registered']);
      for (const entry of entries) {
        expect(entry).toMatchObject({ actor: { type: 'anonymous' }, details: { client_address: clientAddress } });
      }
      expect(await log.verification(accountId)).toEqual({ sound: true, entries: 2, findings: [] });
    }
  });

  it('does not fork where many append to one chain at the same time, and writes what is sent again once', async () => {
    const { accountId } = await log.openAccount();
    const entryId = uuidv7(nowMs);
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => append(accountId, index, index < 5 ? entryId : undefined)),
    );
    expect(await log.verification(accountId)).toEqual({ sound: true, entries: 38, findings: [] });
  });

  it.each([
    ['changed', `UPDATE security_log SET actor_account_id = NULL WHERE chain = $1 AND entry_seq = 2`],
    ['missing', `DELETE FROM security_log WHERE chain = $1 AND entry_seq = 1`],
    ['head', `DELETE FROM security_log WHERE chain = $1 AND entry_seq = 2`],
    ['head', `DELETE FROM security_log WHERE chain = $1`],
    ['head', `UPDATE security_log_heads SET last_hash = repeat('f', 64) WHERE chain = $1`],
    ['details_changed', `UPDATE security_log_details SET details = '{"name":"other"}' WHERE account_id = $1`],
  ])('shows what its owner changed (%s): %s', async (kind, sql) => {
    const { accountId } = await log.openAccount();
    expect(await kindsFound(accountId)).toEqual([]);
    await change(sql, accountId);
    expect(await kindsFound(accountId)).toContain(kind);
    const whole = await verifyLog(identity.database.pool, BEGINNING, undefined);
    expect(whole.findings).toContainEqual(expect.objectContaining({ kind, chain: accountId }));
    // The others begin with a log that is sound.
    for (const table of ['security_log', 'security_log_heads']) {
      await change(`DELETE FROM ${table} WHERE chain = $1`, accountId);
    }
  });

  it('cannot be changed by the service', async () => {
    const { accountId } = await log.openAccount();
    for (const sql of [
      `UPDATE security_log SET reason = 'x' WHERE chain = $1`,
      'DELETE FROM security_log WHERE chain = $1',
    ]) {
      await expect(identity.database.pool.query(sql, [accountId])).rejects.toThrow(/permission denied/);
    }
  });

  it('forgets addresses and names with the account, keeps what was done, and still verifies', async () => {
    const { accountId } = await log.openAccount();
    const before = await log.list(`account_id=${accountId}`);
    await ask('DELETE', `/admin/v1/accounts/${accountId}`);
    const { rows } = await identity.database.owner.query(
      'SELECT FROM security_log_details WHERE account_id = $1 OR actor_account_id = $1',
      [accountId],
    );
    expect(rows).toHaveLength(0);
    // A later report brings nothing back.
    await inTransaction(identity.database.pool, (tx) => {
      const what = {
        entryId: uuidv7(nowMs),
        action: 'test.late',
        accountId,
        actor: { type: 'system' },
        occurrences: 1,
      };
      return appendEntries(tx, [{ ...what, actor: { type: 'system' }, details: { clientAddress: ADDRESS } }], nowMs);
    });
    const after = await log.list(`account_id=${accountId}`);
    expect(after.map((entry) => entry['action'])).toEqual([
      'test.late',
      'account.erased',
      'key.revoked',
      'key.issued',
      'account.opened',
    ]);
    expect(JSON.stringify(after)).not.toMatch(/Lovelace|laptop|192\.0\.2/);
    expect(after.slice(-2).map((entry) => entry['hash'])).toEqual(before.map((entry) => entry['hash']));
    expect(await log.verification(accountId)).toEqual({ sound: true, entries: 5, findings: [] });
  });

  it('is followed in parts, which together see every chain and its end', async () => {
    const { accountId } = await log.openAccount();
    await change(`UPDATE security_log_heads SET entry_seq = 9 WHERE chain = $1`, accountId);
    const found: unknown[] = [];
    let [from, entries, parts] = [BEGINNING, 0, 0];
    for (;;) {
      const part = await verifyLog(identity.database.pool, from, undefined, 3);
      entries += part.entries;
      parts += 1;
      found.push(...part.findings.map(({ kind, chain }) => [kind, chain]));
      if (part.next === undefined) break;
      from = part.next;
    }
    const { rows } = await identity.database.owner.query<{ n: number }>('SELECT count(*)::int AS n FROM security_log');
    expect([entries, found]).toEqual([rows[0]?.n, [['head', accountId]]]);
    expect(parts).toBeGreaterThan(10);
    await change(`UPDATE security_log_heads SET entry_seq = 2 WHERE chain = $1`, accountId);
  });

  it('is listed by account, actor, action and time, page by page', async () => {
    const { accountId } = await log.openAccount();
    const page = dataOf(await ask('GET', `/admin/v1/security-log?account_id=${accountId}&limit=1`));
    expect(page['items']).toMatchObject([{ action: 'key.issued' }]);
    const next = dataOf(
      await ask('GET', `/admin/v1/security-log?account_id=${accountId}&limit=1&cursor=${String(page['next_cursor'])}`),
    );
    expect([next['items'], next['next_cursor']]).toEqual([
      [expect.objectContaining({ action: 'account.opened' })],
      undefined,
    ]);
    expect(await log.list(`account_id=${accountId}&action=key.issued&actor=${operator.accountId}`)).toHaveLength(1);
    expect(await log.list(`account_id=${accountId}&actor=${accountId}`)).toEqual([]);
    expect(await log.list(`account_id=${accountId}&from=2026-01-15T12:00:00Z&to=2026-01-15T12:00:01Z`)).toHaveLength(2);
    expect(await log.list(`account_id=${accountId}&from=2026-01-15T12:00:01Z`)).toEqual([]);
    expect(await log.list(`account_id=${accountId}&to=2026-01-15T12:00:00Z`)).toEqual([]);
    // PostgreSQL itself takes no offset of 16 hours, and a day alone is one of UTC.
    expect(await log.list(`account_id=${accountId}&from=2026-01-16T10:25:00%2B22:25`)).toHaveLength(2);
    expect(await log.list(`account_id=${accountId}&from=2026-01-15&to=2026-01-16`)).toHaveLength(2);
    expect(await log.list(`account_id=${accountId}&to=2026-01-15`)).toEqual([]);
  });

  it('tells an account its own entries, and not where an operator acted from', async () => {
    const { accountId, keyId } = await log.openAccount();
    const owner = { ...operator, accountId, scopes: ['manage'] };
    await ask('DELETE', `/api/v1/auth/api-keys/${keyId}`, undefined, owner);
    const own = await ask('GET', '/api/v1/auth/security-log', undefined, owner);
    const items = dataOf(own)['items'] as Record<string, unknown>[];
    expect(items.map((item) => [item['action'], (item['actor'] as { type: string }).type, item['details']])).toEqual([
      ['key.revoked', 'account', expect.objectContaining({ client_address: ADDRESS })],
      ['key.issued', 'operator', undefined],
      ['account.opened', 'operator', undefined],
    ]);
    expect((await ask('GET', '/api/v1/auth/security-log', undefined, { ...owner, scopes: ['read'] })).status).toBe(403);
  });

  it('refuses what it cannot read, and whoever is no administrator', async () => {
    for (const query of [
      'limit=0',
      'limit=101',
      'cursor=x',
      'action=Odd',
      'account_id=x',
      'actor=x',
      'from=soon',
      'to=2026-02-30',
      'from=2026-W05',
      'to=9999-12-31T23:59:59-01:00',
    ]) {
      expect([query, (await ask('GET', `/admin/v1/security-log?${query}`)).status]).toEqual([query, 422]);
    }
    // The second cursor has a zero character in it, which the database takes in no text.
    for (const query of ['cursor=x', 'cursor=WyJhXHUwMDAwIiwgMSwgImIiXQ', 'account_id=x']) {
      expect([query, (await ask('GET', `/admin/v1/security-log/verification?${query}`)).status]).toEqual([query, 422]);
    }
    const other = { ...operator, scopes: ['manage', 'call', 'read'] };
    for (const path of ['/admin/v1/security-log', '/admin/v1/security-log/verification']) {
      expect((await ask('GET', path, undefined, other)).status).toBe(403);
    }
  });
});
