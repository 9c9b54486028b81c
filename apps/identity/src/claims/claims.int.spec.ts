/** This file is long because all of it shares one running service and its mail server. */
import { readStream } from '@capability-router/event-store';
import { ManualClock, type JsonObject } from '@capability-router/kernel';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClaimingIdentity, dataOf } from '../test-support/claiming-identity.js';
import type { Answer } from '../test-support/running-identity.js';
import { DAY_MS } from '../trial-agents/registration-caps.js';

const clock = new ManualClock(Date.UTC(2026, 0, 15, 0, 1));
const admin = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
} as const;

let service: ClaimingIdentity;
let mailboxes = 0;
const newEmail = (): string => `agent${(mailboxes += 1)}@example.org`;
beforeAll(async () => {
  service = await ClaimingIdentity.start(clock);
});
afterAll(() => service.stop());

async function verified(apiKey: string): Promise<JsonObject> {
  const answer = await service.identity.call({
    method: 'POST',
    url: '/internal/credentials:verify',
    body: { credential: apiKey },
  });
  return answer.body as JsonObject;
}

const count = async (sql: string, ...values: readonly unknown[]): Promise<number> => {
  const { rows } = await service.identity.database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`, [
    ...values,
  ]);
  return rows[0]?.n ?? -1;
};

const wrong = (code: string): string => (code === '000000' ? '000001' : '000000');
const shapeOf = ({ status, body }: Answer): unknown => {
  const data = dataOf({ status, body });
  return [status, Object.entries(data).map(([name, value]) => [name, name === 'claim_id' ? typeof value : value])];
};
const loose = (answer: Answer): unknown => [answer.status, answer.body['message']];

describe('claiming a trial', () => {
  it('keeps its account and its key, which then manages and does not expire, and grants the bonus in an event', async () => {
    const trial = await service.register();
    const email = newEmail();
    const code = await service.mailedCode(trial, ` ${email.toUpperCase()}`);
    const answer = dataOf(await service.verify(trial, email, code));
    expect(answer).toEqual({
      status: 'claimed',
      account_id: trial.accountId,
      email,
      api_key_still_valid: true,
      remaining_credits: 1,
    });
    const { valid, assertion, ratePlan } = await verified(trial.apiKey);
    expect(ratePlan).toEqual({ name: 'formal', perMinute: {} });
    expect([valid, assertion]).toEqual([
      true,
      expect.objectContaining({ accountKind: 'formal', scopes: ['call', 'read', 'manage'] }),
    ]);
    expect(assertion).not.toHaveProperty('maxCallMicroCredits');
    const events = await readStream(service.identity.database.pool, trial.accountId);
    expect(events.map(({ type }) => type)).toEqual([
      'AccountOpened',
      'ApiKeyIssued',
      'AgentClaimRequested',
      'ApiKeyScopesGranted',
      'AgentClaimed',
    ]);
    expect(events.at(-1)?.data).toMatchObject({ welcomeBonusMicroCredits: '1000000000' });
    expect(JSON.stringify(events)).not.toContain(email);
    // The answer was lost, and the request is sent again.
    for (const again of [await service.verify(trial, email, code), await service.claim(trial, email)]) {
      expect(again).toMatchObject({
        status: 422,
        body: {
          message: expect.stringContaining('is an account by now. Its key and its credits go on.'),
          next_step: expect.stringContaining('Go on with the key of the trial'),
        },
      });
      expect(JSON.stringify(again.body)).not.toContain(trial.accountId);
    }
    clock.advanceMs(8 * DAY_MS);
    expect(await verified(trial.apiKey)).toMatchObject({ valid: true });
  });

  it('lets keys end that were rotated away or given an end of their own, and gives no other key the scope manage', async () => {
    const trial = await service.register();
    const keysOf = `/admin/v1/accounts/${trial.accountId}/api-keys`;
    const byAdmin = async (method: 'GET' | 'POST', url: string, body?: object): Promise<JsonObject> =>
      dataOf(await service.identity.call({ method, url, account: admin, ...(body && { body }) }));
    const idOf = async (apiKey: string): Promise<string> => {
      const { apiKeyId } = (await verified(apiKey))['assertion'] as { apiKeyId: string };
      return apiKeyId;
    };
    const rotated = async (apiKey: string, overlap_seconds: number): Promise<string> => {
      // Keys of one millisecond have no order.
      clock.advanceMs(1);
      const path = `/admin/v1/api-keys/${await idOf(apiKey)}:rotate`;
      return (await byAdmin('POST', path, { overlap_seconds }))['api_key'] as string;
    };
    const issued = async (name: string, expires_at: string): Promise<string> =>
      (await byAdmin('POST', keysOf, { name, scopes: ['read'], expires_at }))['api_key'] as string;
    const [own] = (await byAdmin('GET', keysOf))['items'] as JsonObject[];
    const trialEnds = own?.['expires_at'] as string;
    const hour = 3_600;
    const narrow = await issued('for an hour', new Date(clock.nowMs() + hour * 1_000).toISOString());
    const asLong = await issued('as long as the trial', trialEnds);
    const second = await rotated(trial.apiKey, hour);
    // The overlap is longer than the trial, so that the key before keeps its end.
    const third = await rotated(second, 30 * 86_400);
    const email = newEmail();
    dataOf(await service.verify(trial, email, await service.mailedCode(trial, email)));
    const scopesOf = async (apiKey: string): Promise<unknown> =>
      ((await verified(apiKey))['assertion'] as JsonObject | undefined)?.['scopes'];
    const all = [trial.apiKey, second, third, narrow, asLong];
    const before = [['call', 'read'], ['call', 'read'], ['call', 'read', 'manage'], ['read'], ['read']];
    expect(await Promise.all(all.map(scopesOf))).toEqual(before);
    clock.advanceMs(60 * DAY_MS);
    expect(await Promise.all(all.map(scopesOf))).toEqual([
      undefined,
      undefined,
      ['call', 'read', 'manage'],
      undefined,
      ['read'],
    ]);
  });

  it('says that the bonus is on its way where billing has not booked it in time', async () => {
    const trial = await service.register();
    const email = newEmail();
    const code = await service.mailedCode(trial, email);
    service.identity.billing.hasBooked = false;
    try {
      expect(dataOf(await service.verify(trial, email, code))).toMatchObject({
        status: 'claimed',
        credits_ready: false,
      });
    } finally {
      service.identity.billing.hasBooked = true;
    }
  });

  it('waits for the replicas of the gateway, and says that they are late', async () => {
    const trial = await service.register();
    const email = newEmail();
    const code = await service.mailedCode(trial, email);
    const { pool } = service.identity.database;
    // It has lived for longer than the claim, and confirms nothing.
    await pool.query(
      "INSERT INTO gateway_replicas VALUES ('6f1c0f0e-7a58-4b8c-9a54-0d1f6a3f2b11', timestamptz '2026-01-01', now())",
    );
    try {
      expect(dataOf(await service.verify(trial, email, code))).toMatchObject({ status: 'claimed', pending: true });
    } finally {
      await pool.query('DELETE FROM gateway_replicas');
    }
  });
});

describe('an address that has an account', () => {
  it('is answered as any other, with the same time and rows, and the mail says so', async () => {
    const taken = newEmail();
    const opening = { kind: 'formal', name: 'owner', email: taken };
    await service.identity.call({ method: 'POST', url: '/admin/v1/accounts', body: opening, account: admin });
    const [one, other] = [await service.register(), await service.register()];
    // Another spelling of the mailbox has the account too.
    const spelt = taken.replace('@', '+trial@');
    const free = newEmail().replace('@', '+trial@');
    const answers = [await service.claim(one, spelt), await service.claim(other, free)];
    expect(shapeOf(answers[0] as Answer)).toEqual(shapeOf(answers[1] as Answer));
    const said = await service.mailTo(spelt);
    expect([said.code, said.body]).toEqual([undefined, expect.stringContaining('has an account there already')]);
    for (const trial of [one, other]) {
      expect(loose(await service.verify(trial, trial === one ? spelt : 'x@example.org', '123456'))).toEqual([
        422,
        expect.stringContaining('Tries left: 4'),
      ]);
      expect(await count('agent_claims WHERE account_id = $1', trial.accountId)).toBe(1);
    }
  });

  it('is refused to whoever proves that it is theirs after it got one meanwhile', async () => {
    const trial = await service.register();
    const email = newEmail();
    const code = await service.mailedCode(trial, email);
    const body = { kind: 'formal', name: 'owner', email };
    await service.identity.call({ method: 'POST', url: '/admin/v1/accounts', body, account: admin });
    expect(loose(await service.verify(trial, email, code))).toEqual([422, expect.stringContaining('by now')]);
  });
});

describe('the welcome bonus', () => {
  it('is granted once for a mailbox, ever, however it is spelt and whoever was erased', async () => {
    const first = await service.register();
    const email = 'J.Doe@gmail.com';
    dataOf(await service.verify(first, email, await service.mailedCode(first, email)));
    const url = `/admin/v1/accounts/${first.accountId}`;
    dataOf(await service.identity.call({ method: 'DELETE', url, account: admin }));
    const second = await service.register();
    const other = 'jdoe+again@googlemail.com';
    dataOf(await service.verify(second, other, await service.mailedCode(second, other)));
    const events = await readStream(service.identity.database.pool, second.accountId);
    expect(events.at(-1)?.data).toMatchObject({ welcomeBonusMicroCredits: '0' });
    const { rows } = await service.identity.database.pool.query<{ text: string }>(
      'SELECT string_agg(b::text, $1) AS text FROM welcome_bonuses b',
      [','],
    );
    expect(rows[0]?.text).not.toMatch(/doe|gmail/);
  });

  it('is granted to one of several claims of a mailbox at the same time, which alone becomes an account', async () => {
    const email = newEmail();
    const trials = [await service.register(), await service.register(), await service.register()];
    const codes: string[] = [];
    for (const trial of trials) codes.push(await service.mailedCode(trial, email));
    const answers = await Promise.all(trials.map((trial, i) => service.verify(trial, email, codes[i] ?? '')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  });
});

describe('guessing a code', () => {
  it('has five tries, by 200 clients at the same time, and the right code fits no more', async () => {
    const trial = await service.register();
    const email = newEmail();
    const code = await service.mailedCode(trial, email);
    const guesses = Array.from({ length: 200 }, (_, i) => (i === Number(code) ? '999999' : String(i).padStart(6, '0')));
    const answers = await Promise.all(guesses.map((guess) => service.verify(trial, email, guess)));
    // Where too many wait for one account, some are told to come back later.
    const statuses = answers.map(({ status }) => status);
    expect([statuses.filter((status) => status === 422).length, statuses.includes(200)]).toEqual([5, false]);
    expect(await count('agent_claims WHERE account_id = $1 AND tries_left = 0', trial.accountId)).toBe(1);
    clock.advanceMs(20_000);
    // It never works again: after a minute since it was mailed another may be asked for.
    expect(await service.verify(trial, email, code)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '40' },
      body: { code: 'no_tries_left', status_code: 429, data: null },
    });
    expect(await verified(trial.apiKey)).toMatchObject({ assertion: { accountKind: 'trial' } });
  });

  /** Tries four codes four times, which is once more than a day allows; gives what the last one would be. */
  const tryAllDay = async (): Promise<{ ask: () => Promise<Answer>; statuses: number[] }> => {
    const trial = await service.register();
    const email = newEmail();
    const statuses: number[] = [];
    let code = '';
    for (let mailed = 0; mailed < 4; mailed += 1) {
      code = await service.mailedCode(trial, email);
      for (let tries = 0; tries < 4; tries += 1)
        statuses.push((await service.verify(trial, email, wrong(code))).status);
      clock.advanceMs(61_000);
    }
    return { ask: () => service.verify(trial, email, code), statuses };
  };

  it('has so many tries in a day, whatever new codes are mailed', async () => {
    const { ask, statuses } = await tryAllDay();
    expect(statuses).toEqual([...Array.from({ length: 15 }, () => 422), 429]);
    expect(await ask()).toMatchObject({ status: 429, body: { code: 'no_tries_left' } });
  });

  it('goes on with the same code where the day ends before the code lapses', async () => {
    clock.advanceMs(DAY_MS - (clock.nowMs() % DAY_MS) - 10 * 60_000);
    const { ask } = await tryAllDay();
    const refused = await ask();
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    clock.advanceMs(1_000 * Number(refused.headers['retry-after']));
    expect(await ask()).toMatchObject({ status: 200 });
  });

  it('finds only the newest code, of this claim and this address, while it lasts', async () => {
    const [trial, other] = [await service.register(), await service.register()];
    const email = newEmail();
    const old = await service.mailedCode(trial, email);
    clock.advanceMs(61_000);
    const elsewhere = await service.mailedCode(other, email);
    const code = await service.mailedCode(trial, email);
    const refused = [
      ...(old === code ? [] : [[email, old]]),
      ...(elsewhere === code ? [] : [[email, elsewhere]]),
      ['other@example.org', code],
    ] as const;
    for (const [address = '', guess = ''] of refused) {
      expect([guess, (await service.verify(trial, address, guess)).status]).toEqual([guess, 422]);
    }
    clock.advanceMs(31 * 60_000);
    expect(loose(await service.verify(trial, email, code))).toEqual([422, expect.stringContaining('lapsed')]);
  });

  it('finds nothing in the database that tells a code or, once it is mailed, an address of the outbox', async () => {
    const trial = await service.register();
    const email = newEmail();
    const code = await service.mailedCode(trial, email);
    const tables = ['mails', 'agent_claims', 'events', 'registration_counters'];
    for (const table of tables) {
      const { rows } = await service.identity.database.pool.query<{ text: string }>(
        `SELECT string_agg(t::text, '|') AS text FROM ${table} t`,
      );
      const text = rows[0]?.text ?? '';
      expect([table, new RegExp(`\\b${code}\\b`).test(text)]).toEqual([table, false]);
      if (table !== 'agent_claims') expect([table, text.includes(email)]).toEqual([table, false]);
    }
  });
});

describe('asking for a code', () => {
  it('is refused for a minute after one was mailed, and the refusal counts for nothing', async () => {
    const trial = await service.register();
    const email = newEmail();
    await service.mailedCode(trial, email);
    const refused = await service.claim(trial, email);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    clock.advanceMs(60_000);
    expect(dataOf(await service.claim(trial, email))).toMatchObject({ status: 'code_sent' });
  });

  it.each(['a@mailinator.com', 'a@deep.mailinator.com'])('is blocked for the throw-away address %s', async (email) => {
    const trial = await service.register();
    expect(dataOf(await service.claim(trial, email))).toEqual({
      status: 'blocked',
      risk_code: 'disposable_email',
      message: expect.any(String),
    });
  });

  it('is blocked beyond the codes of a day, for a trial and for a mailbox', async () => {
    const trial = await service.register();
    const email = newEmail();
    for (let i = 0; i < 5; i += 1) {
      expect(dataOf(await service.claim(trial, i % 2 === 0 ? email : email.replace('@', '+x@')))).toMatchObject({
        status: 'code_sent',
      });
      clock.advanceMs(60_000);
    }
    const blocked = { status: 'blocked', risk_code: 'too_many_codes', retry_after_seconds: expect.any(Number) };
    expect(dataOf(await service.claim(trial, newEmail()))).toMatchObject(blocked);
    expect(dataOf(await service.claim(await service.register(), email))).toMatchObject(blocked);
  });

  it.each([
    ['no claim code', { email: 'a@example.org' }, 'claim_code'],
    ['a claim code of another form', { claim_code: 'clm_1', email: 'a@example.org' }, 'claim_code'],
    ['a claim code in capitals', { claim_code: `CLM_${'0'.repeat(26)}`, email: 'a@example.org' }, 'claim_code'],
    ['an unknown claim code', { claim_code: `clm_${'0'.repeat(26)}`, email: 'a@example.org' }, 'claim_code'],
    ['no address', { claim_code: `clm_${'0'.repeat(26)}` }, 'email'],
    ['an address that is none', { claim_code: `clm_${'0'.repeat(26)}`, email: 'nobody' }, 'email'],
    ['a locale that is none', { claim_code: `clm_${'0'.repeat(26)}`, email: 'a@example.org', locale: 'xx' }, 'locale'],
  ])('answers 422 and names the field: %s', async (_what, body, field) => {
    const { status, body: answer } = await service.ask('claim', body);
    expect([status, answer['detail']]).toEqual([422, [expect.objectContaining({ loc: ['body', field] })]]);
  });

  it('mails in the language that is asked for', async () => {
    const [inBody, inHeader] = [newEmail(), newEmail()];
    await service.claim(await service.register(), inBody, { locale: 'zh' });
    const { claimCode } = await service.register();
    const accepted = { headers: { 'accept-language': 'zh-CN, en;q=0.5' } };
    await service.ask('claim', { claim_code: claimCode, email: inHeader }, accepted);
    for (const email of [inBody, inHeader]) {
      const mail = await service.mailTo(email);
      expect([mail.body.includes('验证码'), mail.code]).toEqual([true, expect.stringMatching(/^\d{6}$/)]);
    }
  });

  it('ends with the trial', async () => {
    const trial = await service.register();
    clock.advanceMs(7 * DAY_MS);
    expect(loose(await service.claim(trial, newEmail()))).toEqual([422, expect.stringContaining('over')]);
  });
});
