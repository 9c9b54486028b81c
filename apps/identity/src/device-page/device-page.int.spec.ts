import { ManualClock } from '@capability-router/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DeviceFlow, statementIn, type Asked } from '../test-support/device-flow.js';
import type { Answer } from '../test-support/running-identity.js';

let flow: DeviceFlow;
const clock = new ManualClock(Date.UTC(2026, 0, 15, 10));
beforeAll(async () => {
  flow = await DeviceFlow.start(clock);
});
afterAll(() => flow.stop());
beforeEach(() => flow.renew());

const DAY_MS = 86_400_000;
const waitOf = ({ status, headers }: Answer): unknown[] => [status, headers['retry-after']];
const untilMidnight = (): string => String(Math.ceil((DAY_MS - (clock.nowMs() % DAY_MS)) / 1_000));

describe('the page', () => {
  it('is a form without scripts, cookies or frames, in the language of the browser, and changes nothing when it is looked at', async () => {
    const { user_code: userCode, device_code: deviceCode } = await flow.asked();
    const url = `/device?user_code=${userCode}`;
    const shown = await flow.identity.call({ method: 'GET', url, headers: { 'accept-language': 'zh-CN,zh;q=0.9' } });
    expect(shown).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-language': 'zh',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
        ),
      },
    });
    expect(shown.headers).not.toHaveProperty('set-cookie');
    expect(shown.text).toContain('<html lang="zh">');
    expect(shown.text).toContain(`value="${userCode}"`);
    expect(shown.text).not.toMatch(/<script|<b>|javascript:|\son\w+=/);
    expect(await flow.pollError(deviceCode)).toBe('authorization_pending');
    const hostile = await flow.identity.call({ method: 'GET', url: '/device?user_code=%22%3E%3Cscript%3E' });
    expect(hostile.text).not.toContain('<script');
  });

  it('names the program, what it asks for and of what, and what the key does not have, before anything is given', async () => {
    const { user_code: userCode } = await flow.asked();
    const { api_key: narrow } = await flow.issued(['read']);
    const signIn = await flow.page('', { user_code: userCode });
    expect(signIn.text).toContain('a &lt;b&gt;terminal&lt;/b&gt; asks for access');
    const consent = await flow.withKey(userCode, narrow);
    for (const part of [
      'Give a &lt;b&gt;terminal&lt;/b&gt; access?',
      userCode,
      '<code>read</code>',
      'will not get it</dt><dd>find and call tools',
      'http://127.0.0.1/api/v1',
      `${narrow.slice(0, 7)}…`,
      '30 days',
    ]) {
      expect(consent.text).toContain(part);
    }
    expect(consent.text).not.toContain(narrow);
    const { api_key: useless } = await flow.issued(['manage']);
    expect(await flow.withKey(userCode, useless)).toMatchObject({
      status: 400,
      text: expect.stringContaining('none of the rights'),
    });
  });

  it('names the resource as the program does, and so does the list of consents', async () => {
    const resources = ['http://127.0.0.1/api/v1', 'http://127.0.0.1/mcp'];
    for (const resource of resources) {
      const { user_code: userCode, device_code: deviceCode } = await flow.asked({ resource });
      const consent = await flow.withKey(userCode);
      expect(consent.text).toContain(`<dd>${resource}</dd>`);
      await flow.decide(consent, 'approve');
      await flow.poll(deviceCode);
    }
    const url = `/admin/v1/accounts/${flow.person}/oauth-consents`;
    const { items } = await flow.ask<{ items: { resource: string }[] }>('GET', url);
    expect(items.map(({ resource }) => resource).sort()).toEqual(resources);
  });

  it('takes a decision of nobody but who has signed in, once', async () => {
    const { user_code: userCode, device_code: deviceCode } = await flow.asked();
    const consent = await flow.withKey(userCode);
    const signedIn = statementIn(consent);
    const other = await flow.asked();
    const forged = [
      {},
      { decision: 'approve' },
      { decision: 'approve', signed_in: `${signedIn}x` },
      { decision: 'approve', signed_in: signedIn.replace(/\.[^.]+$/, '.') },
      { decision: 'perhaps', signed_in: signedIn },
    ];
    for (const form of forged) expect((await flow.page('/decision', form as Record<string, string>)).status).toBe(400);
    expect(await flow.pollError(deviceCode)).toBe('authorization_pending');
    expect((await flow.decide(consent, 'approve')).status).toBe(200);
    expect((await flow.decide(consent, 'approve')).status).toBe(400);
    expect(await flow.pollError(other.device_code)).toBe('authorization_pending');
  });

  it('lets a key decide nothing that was revoked after it was shown, and gives nothing after a consent either', async () => {
    const one = await flow.asked();
    const consent = await flow.withKey(one.user_code);
    const two = await flow.asked();
    await flow.decide(await flow.withKey(two.user_code), 'approve');
    await flow.ask('DELETE', `/admin/v1/api-keys/${flow.keyId}`);
    expect((await flow.decide(consent, 'approve')).status).toBe(400);
    expect(await flow.pollError(two.device_code)).toBe('access_denied');
    expect((await flow.withKey(one.user_code)).status).toBe(400);
  });

  it('has so many keys tried for a code, and no more', async () => {
    const { user_code: userCode } = await flow.asked();
    for (let count = 0; count < 10; count += 1) expect((await flow.withKey(userCode, 'sk-wrong')).status).toBe(400);
    // The code of a program lives for ten minutes; after that the program has another one.
    expect(waitOf(await flow.withKey(userCode))).toEqual([429, '600']);
  });

  it('has so many wrong codes of an address, also at once, and the right one counts for nothing', async () => {
    const { user_code: userCode } = await flow.asked();
    const clientAddress = '192.0.2.99';
    const right = await Promise.all(
      Array.from({ length: 51 }, () => flow.page('', { user_code: userCode }, clientAddress)),
    );
    expect(right.every(({ status }) => status === 200)).toBe(true);
    const wrong = Array.from({ length: 60 }, () => flow.page('', { user_code: 'BBBB-BBBB' }, clientAddress));
    const answers = (await Promise.all(wrong)).map(({ status }) => status);
    expect(answers.filter((status) => status === 400)).toHaveLength(50);
    expect(waitOf(await flow.page('', { user_code: userCode }, clientAddress))).toEqual([429, untilMidnight()]);
    expect((await flow.page('', { user_code: userCode })).status).toBe(200);
  });

  it('answers a form that no browser sends with its beginning', async () => {
    const url = '/device/key';
    const clientAddress = '192.0.2.8';
    for (const form of ['a=1&a=2', 'x'.repeat(20_000)]) {
      const answer = await flow.identity.call({ method: 'POST', url, form, clientAddress });
      expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('could not be read') });
    }
    expect((await flow.identity.call({ method: 'GET', url: '/device', as: 'none' })).status).toBe(401);
  });
});

/** Asks for a mail and waits for it; `before`: how many came to this person before. */
async function mailed(userCode: string, before = 0): Promise<string> {
  expect((await flow.page('/email', { user_code: userCode, email: flow.email })).status).toBe(200);
  return (await flow.mailedCode(flow.email, before)) ?? 'none';
}

describe('a mailed code', () => {
  it('signs in whose address it went to, once, with all that the program asks for', async () => {
    const { user_code: userCode, device_code: deviceCode } = await flow.asked();
    const code = await mailed(userCode);
    const form = { user_code: userCode, email: flow.email.toUpperCase(), code };
    const consent = await flow.page('/email-code', form);
    expect(consent.text).toContain('p***@example.org');
    expect((await flow.page('/email-code', form)).status).toBe(400);
    await flow.decide(consent, 'approve');
    const given = await flow.poll(deviceCode);
    const verified = await flow.verify(given.body['access_token']);
    expect(verified).toMatchObject({ valid: true, assertion: { accountId: flow.person, scopes: ['call', 'read'] } });
    expect(verified['assertion']).not.toHaveProperty('apiKeyId');
  });

  it('goes to an address of an international domain, also where the row has it as it was stored before', async () => {
    const ascii = 'user@xn--bcher-kva.example';
    const accountId = await flow.opened({ email: 'user@bücher.example' });
    for (const [stored, before] of [
      [ascii, 0],
      ['user@bücher.example', 1],
    ] as const) {
      if (before > 0) {
        const values = [accountId, stored];
        await flow.identity.database.pool.query('UPDATE accounts SET email = $2 WHERE account_id = $1', values);
      }
      const { user_code: userCode } = await flow.asked();
      const form = { user_code: userCode, email: 'user@bücher.example' };
      expect((await flow.page('/email', form)).status).toBe(200);
      const code = (await flow.mailedCode(ascii, before)) ?? 'none';
      expect([stored, (await flow.page('/email-code', { ...form, code })).text]).toEqual([
        stored,
        expect.stringContaining('u***@xn--bcher-kva.example'),
      ]);
      const found = await flow.ask('GET', '/admin/v1/accounts?email=user%40b%C3%BCcher.example');
      expect(found).toMatchObject({ items: [{ account_id: accountId, email: stored }] });
    }
  });

  it('is answered alike for an address without an account, whose mail has none', async () => {
    const [one, two] = [await flow.asked(), await flow.asked()];
    const stranger = `nobody-${flow.email}`;
    const known = await flow.page('/email', { user_code: one.user_code, email: flow.email });
    const unknown = await flow.page('/email', { user_code: two.user_code, email: stranger });
    const shown = ({ text }: Answer, whose: string, { user_code }: Asked): string =>
      text.replaceAll(whose, '<email>').replaceAll(user_code, '<code>');
    expect(shown(unknown, stranger, two)).toBe(shown(known, flow.email, one));
    expect(await flow.mailedCode(stranger)).toBeUndefined();
    for (const code of ['000000', '123456'])
      expect((await flow.page('/email-code', { user_code: two.user_code, email: stranger, code })).text).toContain(
        'not the code',
      );
  });

  it('has five tries under any number of clients, and another one comes after a minute', async () => {
    const { user_code: userCode } = await flow.asked();
    const code = await mailed(userCode);
    const wrong = code === '000000' ? '000001' : '000000';
    const guesses = Array.from({ length: 50 }, () =>
      flow.page('/email-code', { user_code: userCode, email: flow.email, code: wrong }),
    );
    const answers = await Promise.all(guesses);
    expect(answers.filter(({ text }) => text.includes('not the code'))).toHaveLength(4);
    expect((await flow.page('/email-code', { user_code: userCode, email: flow.email, code })).text).toContain(
      'does not work any more',
    );
    clock.advanceMs(20_000);
    const tooSoon = await flow.page('/email', { user_code: userCode, email: flow.email });
    expect(waitOf(tooSoon)).toEqual([429, '40']);
    clock.advanceMs(40_000);
    const next = await mailed(userCode, 1);
    expect((await flow.page('/email-code', { user_code: userCode, email: flow.email, code: next })).text).toContain(
      'signed_in',
    );
  });

  it('comes to one mailbox so often a day, however it is spelt', async () => {
    for (let count = 0; count < 10; count += 1) {
      const spelt = flow.email.replace('@', `+${count}@`);
      expect((await flow.page('/email', { user_code: (await flow.asked()).user_code, email: spelt })).status).toBe(200);
    }
    const { user_code: userCode } = await flow.asked();
    const capped = await flow.page('/email', { user_code: userCode, email: flow.email });
    expect(waitOf(capped)).toEqual([429, untilMidnight()]);
  });
});
