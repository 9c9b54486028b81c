import { describe, expect, it } from '@jest/globals';
import type { EventEnvelope } from '@capability-router/contracts';
import { account, directory } from '../test-support/directory.js';
import { applyRevocation } from './apply-revocation.js';

describe('the credential directory', () => {
  it('asks once for requests that come together, and remembers the answer for its time', async () => {
    const { clock, credentials, questions, answer, hits } = directory();
    const together = Array.from({ length: 3 }, async () => credentials.resolve('sk-1'));
    await answer(0, account);
    expect(await Promise.all(together)).toEqual(
      Array(3).fill(expect.objectContaining({ account, assertion: 'signed acc_1' })),
    );
    clock.advanceMs(29_999);
    expect(await hits()).toBe(0);
    expect(await credentials.resolve('sk-1')).toBeDefined();
    expect(questions).toHaveLength(1);
    clock.advanceMs(1);
    void credentials.resolve('sk-1');
    expect(questions).toHaveLength(2);
    expect(await hits()).toBe(1);
  });

  it('remembers a refusal only briefly', async () => {
    const { clock, credentials, questions, answer } = directory();
    const first = credentials.resolve('sk-2');
    await answer(0, undefined);
    expect(await first).toBeUndefined();
    expect(await credentials.resolve('sk-2')).toBeUndefined();
    expect(questions).toHaveLength(1);
    clock.advanceMs(5_000);
    void credentials.resolve('sk-2');
    expect(questions).toHaveLength(2);
  });

  it.each([
    ['some account may do more', 'AccountStateChanged'],
    ['somebody was linked to one', 'ExternalSubjectLinked'],
  ])('asks again about a refused one once %s, also where the refusal is on its way', async (_what, type) => {
    const { credentials, questions, answer } = directory();
    const resumed = { type, data: { accountId: 'acc_1' } } as unknown as EventEnvelope;
    const first = credentials.resolve('sk-2');
    await answer(0, undefined);
    expect(await first).toBeUndefined();
    applyRevocation(credentials, resumed);
    const again = credentials.resolve('sk-2');
    expect(questions).toHaveLength(2);
    applyRevocation(credentials, resumed);
    await answer(1, undefined);
    await answer(2, account);
    expect((await again)?.account).toEqual(account);
  });

  it('does not remember that identity could not answer', async () => {
    const { credentials, questions, answer } = directory();
    const failed = credentials.resolve('sk-3');
    const refused = expect(failed).rejects.toThrow('down');
    await answer(0, new Error('down'));
    await refused;
    void credentials.resolve('sk-3');
    expect(questions).toHaveLength(2);
  });

  it('forgets a revoked key at once', async () => {
    const { credentials, questions, answer } = directory();
    const first = credentials.resolve('sk-4');
    await answer(0, account);
    await first;
    credentials.revoke('another-key');
    void credentials.resolve('sk-4');
    expect(questions).toHaveLength(1);
    credentials.revoke('key-1');
    void credentials.resolve('sk-4');
    expect(questions).toHaveLength(2);
  });

  it('asks anew about a key whose budgets changed, in flight or remembered, and still finds it familiar', async () => {
    const { clock, credentials, questions, answer } = directory();
    const changed = {
      id: '018f0000-0000-7000-8000-0000000000fe',
      type: 'ApiKeyBudgetsChanged',
      source: 'identity',
      subject: 'acc_1',
      sequence: 2,
      time: '2026-01-01T00:00:00.000Z',
      topic: 'internal.identity.accounts.v1',
      partitionKey: 'acc_1',
      data: { accountId: 'acc_1', apiKeyId: 'key-1', budgets: {}, changedAt: '2026-01-01T00:00:00.000Z' },
    } as const;
    const asked = credentials.resolve('sk-7');
    applyRevocation(credentials, changed);
    await answer(0, account);
    const lowered = { ...account, budgets: { session: { limitMicroCredits: '1' } } };
    await answer(1, lowered);
    expect((await asked)?.account).toEqual(lowered);
    applyRevocation(credentials, changed);
    clock.advanceMs(1);
    const again = credentials.resolveFamiliar('sk-7');
    await answer(2, account);
    expect((await again)?.account).toEqual(account);
    expect(questions).toHaveLength(3);
  });

  it('remembers a credential no longer than it lasts', async () => {
    const { clock, credentials, questions, answer } = directory();
    const first = credentials.resolve('sk-1');
    await answer(0, account, { expiresAt: new Date(10_000).toISOString() });
    await first;
    clock.advanceMs(9_999);
    expect(await credentials.resolve('sk-1')).toBeDefined();
    expect(questions).toHaveLength(1);
    clock.advanceMs(1);
    const ended = credentials.resolve('sk-1');
    await answer(1, account, { expiresAt: new Date(10_000).toISOString() });
    expect(await ended).toBeUndefined();
  });

  it.each(['family-1', 'client-1', 'gold'])('forgets what depends on %s as it changes or ends', async (subject) => {
    const { credentials, questions, answer } = directory();
    const token = { ...account, credentialType: 'access_token', oauthClientId: 'client-1' } as const;
    const first = credentials.resolve('token');
    await answer(0, token, { endsWith: ['token-1', 'family-1'], ratePlan: { name: 'gold', perMinute: { call: 5 } } });
    expect((await first)?.ratePlan).toEqual({ name: 'gold', perMinute: { call: 5 } });
    credentials.refresh('family-2');
    await credentials.resolve('token');
    expect(questions).toHaveLength(1);
    credentials.refresh(subject);
    void credentials.resolve('token');
    expect(questions).toHaveLength(2);
  });

  it.each([
    [{ type: 'RateLimitPlanChanged', data: { plan: 'gold', changeId: 'change-1' } }],
    [{ type: 'AccountRateLimitPlanChanged', data: { accountId: 'acc_1', plan: 'silver', changeId: 'change-1' } }],
  ])('asks anew about who has a plan, and says so, after %j', async (told) => {
    const { credentials, questions, answer } = directory();
    const [had, other] = [credentials.resolve('sk-1'), credentials.resolve('sk-2')];
    await answer(0, account, { ratePlan: { name: 'gold', perMinute: { call: 5 } } });
    await answer(1, { ...account, accountId: 'acc_2' }, { ratePlan: { name: 'formal', perMinute: {} } });
    await Promise.all([had, other]);
    expect(applyRevocation(credentials, told as unknown as EventEnvelope)).toBe('change-1');
    await credentials.resolve('sk-2');
    expect(questions).toHaveLength(2);
    const again = credentials.resolve('sk-1');
    await answer(2, account, { ratePlan: { name: 'gold', perMinute: { call: 6 } } });
    expect((await again)?.ratePlan?.perMinute).toEqual({ call: 6 });
  });

  it.each([
    [{ type: 'ProjectChanged', data: { accountId: 'acc_1', projectId: 'project-1', changeId: 'change-1' } }],
    [{ type: 'ApiKeyProjectChanged', data: { accountId: 'acc_1', apiKeyId: 'key-1', changeId: 'change-1' } }],
  ])('asks anew about the keys of a project, and says so, after %j', async (told) => {
    const { credentials, questions, answer } = directory();
    const [member, other] = [credentials.resolve('sk-1'), credentials.resolve('sk-2')];
    await answer(0, { ...account, projectId: 'project-1' });
    await answer(1, { ...account, apiKeyId: 'key-2' });
    await Promise.all([member, other]);
    expect(applyRevocation(credentials, told as unknown as EventEnvelope)).toBe('change-1');
    await credentials.resolve('sk-2');
    expect(questions).toHaveLength(2);
    void credentials.resolve('sk-1');
    expect(questions).toHaveLength(3);
  });

  it('does not let an answer that was in flight outlive the revocation', async () => {
    const { credentials, questions, answer } = directory();
    const asked = credentials.resolve('sk-5');
    // Identity answered before the revocation, and the answer arrives after it.
    credentials.revoke('key-1');
    await answer(0, account);
    expect(questions).toHaveLength(2);
    await answer(1, undefined);
    expect(await asked).toBeUndefined();
    expect(await credentials.resolve('sk-5')).toBeUndefined();
  });

  it('asks again about every key of an account that has moved', async () => {
    const { credentials, questions, answer } = directory();
    const known = credentials.resolve('sk-7');
    await answer(0, { ...account, region: 'US' });
    expect((await known)?.account.region).toBe('US');
    const moved = { type: 'AccountRegionChanged', data: { accountId: account.accountId, changedAt: 'now' } };
    applyRevocation(credentials, moved as unknown as EventEnvelope);
    const again = credentials.resolve('sk-7');
    expect(questions).toHaveLength(2);
    await answer(1, { ...account, region: 'CH' });
    expect((await again)?.account.region).toBe('CH');
  });

  it('forgets every key of an erased account, and answers about it that are on their way', async () => {
    const { credentials, questions, answer } = directory();
    const known = credentials.resolve('sk-7');
    const other = credentials.resolve('sk-8');
    const late = credentials.resolve('sk-9');
    await answer(0, account);
    await answer(1, { ...account, accountId: 'acc_2', apiKeyId: 'key-2' });
    await Promise.all([known, other]);
    const erased = { type: 'AccountErased', data: { accountId: 'acc_1', erasedAt: '2026-01-01T00:00:00.000Z' } };
    applyRevocation(credentials, erased as unknown as EventEnvelope);
    await answer(2, { ...account, apiKeyId: 'key-3' });
    expect(questions).toHaveLength(4);
    await answer(3, undefined);
    expect(await late).toBeUndefined();
    expect(await credentials.resolve('sk-8')).toBeDefined();
    void credentials.resolve('sk-7');
    expect(questions).toHaveLength(5);
  });

  it('gives up on a valid key that changes again and again while it is asked about, and does not say that it is none', async () => {
    const { credentials, questions, answer } = directory();
    const asked = credentials.resolve('sk-6');
    const givenUp = expect(asked).rejects.toMatchObject({ code: 'service_unavailable' });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      credentials.refresh('key-1');
      await answer(attempt, account);
    }
    await givenUp;
    expect(questions).toHaveLength(3);
    const again = credentials.resolve('sk-6');
    await answer(3, account);
    expect(await again).toBeDefined();
  });

  it('refuses one that is none, whatever changes while it is asked about', async () => {
    const { credentials, questions, answer } = directory();
    const asked = credentials.resolve('sk-6');
    for (let attempt = 0; attempt < 3; attempt += 1) {
      credentials.reconsiderRefused();
      await answer(attempt, undefined);
    }
    expect(await asked).toBeUndefined();
    expect(questions).toHaveLength(3);
  });
});
