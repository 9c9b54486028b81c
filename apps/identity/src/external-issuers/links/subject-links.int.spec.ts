import type { AccountAssertion } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { ManualClock } from '@capability-router/kernel';
import { TestIssuer } from '@capability-router/service-kit/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RunningIdentity, type Answer } from '../../test-support/running-identity.js';
import { MAX_LINKS_PER_ACCOUNT } from './link-subject.js';

const PATH = '/admin/v1/external-subjects';
const NO_LINK = '00000000-0000-7000-8000-000000000000';
const admin = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
} as const satisfies AccountAssertion;

const clock = new ManualClock(Date.UTC(2026, 0, 15, 10));
let issuer: TestIssuer;
let identity: RunningIdentity;
/** A replica whose configuration opens accounts. */
let opening: RunningIdentity;
let account: string;
let made = 0;
let subject: string;
beforeAll(async () => {
  issuer = await TestIssuer.start();
  identity = await RunningIdentity.start(clock, issuer.settings());
  opening = await another({ open_accounts: { per_day: 1_000 } });
});
afterAll(async () => {
  await opening.stop();
  await identity.stop();
  await issuer.close();
});
beforeEach(async () => {
  account = await opened();
  made += 1;
  subject = `somebody-${made}`;
});

const another = (more: object): Promise<RunningIdentity> =>
  RunningIdentity.start(clock, issuer.settings(more), { of: identity, publicUrl: 'http://127.0.0.1' });
const ask = (
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  body?: object,
  { on = identity, as = admin }: { readonly on?: RunningIdentity; readonly as?: AccountAssertion } = {},
): Promise<Answer> => on.call({ method, url, account: as, ...(body === undefined ? {} : { body }) });
const dataOf = ({ body }: Answer): Record<string, unknown> => body['data'] as Record<string, unknown>;
const itemsOf = (answer: Answer): Record<string, unknown>[] => dataOf(answer)['items'] as Record<string, unknown>[];
async function opened(): Promise<string> {
  const body = { kind: 'formal', name: 'Test', initial_credits: 0 };
  return String(dataOf(await ask('POST', '/admin/v1/accounts', body))['account_id']);
}
const link = (more: object = {}, on = identity): Promise<Answer> =>
  ask('POST', PATH, { account_id: account, issuer: 'acme', subject, ...more }, { on });
async function linked(more: object = {}): Promise<string> {
  const answer = await link(more);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return String(dataOf(answer)['external_subject_id']);
}
const token = (sub = subject): Promise<string> => {
  const now = Math.floor(clock.nowMs() / 1_000);
  return issuer.sign({ sub, aud: 'http://127.0.0.1/api/v1', iat: now, exp: now + 600, scope: 'call read' });
};
async function verify(credential: string, on = identity): Promise<Record<string, unknown>> {
  return (await on.call({ method: 'POST', url: '/internal/credentials:verify', body: { credential } })).body;
}
/** The account for which a token of the subject acts; undefined where it is refused. */
async function accountOf(on = identity, sub = subject): Promise<unknown> {
  const verified = await verify(await token(sub), on);
  return (verified['assertion'] as Record<string, unknown> | undefined)?.['accountId'];
}
const factsOf = async (accountId: string): Promise<string[]> =>
  (await readStream(identity.database.pool, accountId)).map(({ type }) => type);

describe('a subject that an administrator links', () => {
  it('acts for the account until the link is removed, which the security log has', async () => {
    const text = await token();
    expect(await verify(text)).toEqual({ valid: false });
    const answer = await link();
    const id = String(dataOf(answer)['external_subject_id']);
    const facts = {
      external_subject_id: id,
      account_id: account,
      issuer: 'acme',
      iss: issuer.iss,
      subject,
      linked_at: new Date(clock.nowMs()).toISOString(),
    };
    expect([answer.status, dataOf(answer)]).toEqual([201, facts]);
    expect(await verify(text)).toMatchObject({
      valid: true,
      assertion: { accountId: account, credentialType: 'access_token', scopes: ['call', 'read'] },
      endsWith: [id],
    });
    const bySubject = `${PATH}?issuer=${encodeURIComponent(issuer.iss)}&subject=${subject}`;
    for (const url of [`${PATH}?account_id=${account}`, bySubject, `${PATH}?issuer=acme&subject=${subject}`])
      expect(dataOf(await ask('GET', url))).toEqual({ items: [facts] });

    clock.advanceMs(1_000);
    const removed = { external_subject_id: id, account_id: account, removed_at: new Date(clock.nowMs()).toISOString() };
    // The id is the same in upper case, and is told in lower case.
    expect(dataOf(await ask('DELETE', `${PATH}/${id.toUpperCase()}`))).toEqual(removed);
    expect(await verify(text)).toEqual({ valid: false });
    clock.advanceMs(1_000);
    expect(dataOf(await ask('DELETE', `${PATH}/${id}`))).toEqual(removed);
    for (const url of [`${PATH}?account_id=${account}`, bySubject])
      expect(dataOf(await ask('GET', url))).toEqual({ items: [] });

    const entries = itemsOf(await ask('GET', `/admin/v1/security-log?account_id=${account}&limit=2`));
    const object = { type: 'external_subject', id };
    expect(entries).toMatchObject([
      { action: 'external_subject.unlinked', object, reason: 'administrator', actor: { type: 'operator' } },
      { action: 'external_subject.linked', object, reason: 'external_issuer:acme', actor: { type: 'operator' } },
    ]);
    // Nobody's name stays: not in events, nor in the row of a link that was removed.
    const stored = await identity.database.pool.query<{ text: string }>(
      `SELECT events::text AS text FROM events UNION ALL SELECT security_log::text FROM security_log
       UNION ALL SELECT external_subjects::text FROM external_subjects`,
    );
    expect(stored.rows.filter((row) => row.text.includes(subject))).toEqual([]);
  });

  it('belongs to one account at most, however many ask at a time', async () => {
    const other = await opened();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        link({ account_id: index % 2 ? account : other }, index % 4 < 2 ? identity : opening),
      ),
    );
    const won = answers.filter(({ status }) => status === 201);
    const winner = String(await accountOf());
    expect(won).toHaveLength(10);
    expect(new Set(won.map((answer) => dataOf(answer)['external_subject_id'])).size).toBe(1);
    for (const lost of answers.filter(({ status }) => status !== 201)) {
      expect(lost.status).toBe(409);
      expect(lost.body['message']).toContain(winner);
    }
    expect((await factsOf(winner)).filter((type) => type === 'ExternalSubjectLinked')).toHaveLength(1);
  });

  it('that a token came for first keeps the account that it opened, until that link is removed', async () => {
    const own = String(await accountOf(opening));
    expect((await link()).status).toBe(409);
    const [before] = itemsOf(await ask('GET', `${PATH}?account_id=${own}`));
    expect(before).not.toHaveProperty('subject');
    expect((await ask('DELETE', `${PATH}/${String(before?.['external_subject_id'])}`)).status).toBe(200);
    const id = await linked();
    expect(await accountOf(opening)).toBe(account);
    await ask('DELETE', `${PATH}/${id}`);
    // Whoever is of no account is opened one again, where the configuration says so.
    expect(await accountOf()).toBeUndefined();
    expect([own, account, undefined]).not.toContain(await accountOf(opening));
  });

  it('is refused once its account is closed, is opened no other one, and may be linked to another', async () => {
    const id = await linked();
    expect((await ask('POST', `/admin/v1/accounts/${account}:close`)).status).toBe(200);
    expect([await accountOf(), await accountOf(opening)]).toEqual([undefined, undefined]);
    expect(itemsOf(await ask('GET', `${PATH}?account_id=${account}`))).toEqual([]);
    expect(itemsOf(await ask('GET', `${PATH}?issuer=acme&subject=${subject}`))).toEqual([]);
    expect((await ask('DELETE', `${PATH}/${id}`)).status).toBe(404);
    expect((await link()).status).toBe(409);
    const closed = account;
    account = await opened();
    expect(await linked()).not.toBe(id);
    expect([await accountOf(), await accountOf(opening)]).toEqual([account, account]);
    expect((await factsOf(closed)).at(-1)).toBe('ExternalSubjectUnlinked');
  });

  it('is of nobody once its account is erased', async () => {
    await linked();
    expect((await ask('DELETE', `/admin/v1/accounts/${account}`)).status).toBe(200);
    expect(await accountOf()).toBeUndefined();
    account = await opened();
    await linked();
    expect(await accountOf()).toBe(account);
  });
});

describe('a link', () => {
  it('is refused with what to do next', async () => {
    const named = await link({ issuer: 'nobody' });
    expect([named.status, named.body['message']]).toEqual([422, '"issuer" is invalid: EXTERNAL_ISSUERS names: acme']);
    expect((await link({ account_id: `acc_${'0'.repeat(32)}` })).status).toBe(404);
    expect((await link({ subject: 'x\u0000' })).status).toBe(422);
    await ask('POST', `/admin/v1/accounts/${account}:suspend`);
    expect((await link()).body['message']).toBe('The account is not active.');
    const trial = await identity.call({
      method: 'POST',
      url: '/api/v1/agent/anonymous-register',
      body: { agent_name: 'scout' },
      clientAddress: '192.0.2.7',
    });
    const ofTrial = await link({ account_id: dataOf(trial)['account_id'] });
    expect([ofTrial.status, ofTrial.body['message']]).toEqual([409, 'The account is a trial. Have it claimed first.']);
    for (const query of ['', `?issuer=acme`, `?subject=x`, `?account_id=${account}&subject=x`, '?account_id=x'])
      expect([query, (await ask('GET', `${PATH}${query}`)).status]).toEqual([query, 422]);
    for (const id of [NO_LINK, 'x']) expect((await ask('DELETE', `${PATH}/${id}`)).status).toBe(404);
  });

  it('is not made where all tokens of the issuer act for one account', async () => {
    const shared = await another({ account_id: account });
    try {
      const answer = await link({}, shared);
      expect([answer.status, answer.body['message']]).toEqual([409, expect.stringContaining('act for one account')]);
    } finally {
      await shared.stop();
    }
  });

  it('is made and removed by administrators alone', async () => {
    const id = await linked();
    const as = { ...admin, accountId: account, scopes: ['call', 'read', 'manage'] } as const;
    const body = { account_id: account, issuer: 'acme', subject: 'me, too' };
    expect((await ask('POST', PATH, body, { as })).status).toBe(403);
    expect((await ask('GET', `${PATH}?account_id=${account}`, undefined, { as })).status).toBe(403);
    expect((await ask('DELETE', `${PATH}/${id}`, undefined, { as })).status).toBe(403);
    expect(await accountOf()).toBe(account);
  });

  it('is one of so many of an account', async () => {
    await identity.database.owner.query(
      `INSERT INTO external_subjects (subject_hash, issuer, account_id, opened_at)
       SELECT sha256(convert_to($1 || number, 'UTF8')), 'x', $1, now() FROM generate_series(1, $2::int) AS number`,
      [account, MAX_LINKS_PER_ACCOUNT - 1],
    );
    const id = await linked();
    const [kept, surplus] = [subject, `${subject}-surplus`];
    expect((await link({ subject: surplus })).status).toBe(409);
    // A repetition is none more.
    expect(await linked({ subject: kept })).toBe(id);
    await ask('DELETE', `${PATH}/${id}`);
    await linked({ subject: surplus });
  });
});
