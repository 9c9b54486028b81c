import { describe, expect, it } from '@jest/globals';
import type { AccountAssertion } from '@capability-router/contracts';
import { ManualClock } from '@capability-router/kernel';
import { CredentialDirectory } from './credential-directory.js';
import { RevocationLog } from './revocation-log.js';

const account: AccountAssertion = {
  accountId: 'acc_1',
  accountKind: 'formal',
  credentialType: 'api_key',
  apiKeyId: 'key-1',
  scopes: [],
};

/** A directory whose questions are answered by hand. */
function directory() {
  const clock = new ManualClock(0);
  const questions: ((answer: AccountAssertion | undefined | Error) => void)[] = [];
  const credentials = new CredentialDirectory({
    clock,
    cacheMs: 30_000,
    sign: async (subject) => `signed ${subject.accountId}`,
    verify: () =>
      new Promise((resolve, reject) => {
        questions.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
      }),
  });
  const answer = async (index: number, value: AccountAssertion | undefined | Error): Promise<void> => {
    questions[index]?.(value);
    await new Promise(setImmediate);
  };
  return { clock, credentials, questions, answer };
}

describe('the credential directory', () => {
  it('asks once for requests that come together, and remembers the answer for its time', async () => {
    const { clock, credentials, questions, answer } = directory();
    const together = Array.from({ length: 3 }, async () => credentials.resolve('sk-1'));
    await answer(0, account);
    expect(await Promise.all(together)).toEqual(Array(3).fill({ account, assertion: 'signed acc_1' }));
    clock.advanceMs(29_999);
    expect(await credentials.resolve('sk-1')).toBeDefined();
    expect(questions).toHaveLength(1);
    clock.advanceMs(1);
    void credentials.resolve('sk-1');
    expect(questions).toHaveLength(2);
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
    credentials.revokeKey('another-key');
    void credentials.resolve('sk-4');
    expect(questions).toHaveLength(1);
    credentials.revokeKey('key-1');
    void credentials.resolve('sk-4');
    expect(questions).toHaveLength(2);
  });

  it('does not let an answer that was in flight outlive the revocation', async () => {
    const { credentials, questions, answer } = directory();
    const asked = credentials.resolve('sk-5');
    // Identity answered before the revocation, and the answer arrives after it.
    credentials.revokeKey('key-1');
    await answer(0, account);
    expect(questions).toHaveLength(2);
    await answer(1, undefined);
    expect(await asked).toBeUndefined();
    expect(await credentials.resolve('sk-5')).toBeUndefined();
  });

  it('gives up on a key that is revoked again and again while it is asked about', async () => {
    const { credentials, questions, answer } = directory();
    const asked = credentials.resolve('sk-6');
    for (let attempt = 0; attempt < 3; attempt += 1) {
      credentials.revokeKey('key-1');
      await answer(attempt, account);
    }
    expect(await asked).toBeUndefined();
    expect(questions).toHaveLength(3);
  });
});

describe('the revocation log', () => {
  it('treats everything in flight as outdated when it has to forget', () => {
    const log = new RevocationLog(2);
    const before = log.now();
    log.record('a');
    log.record('b');
    const between = log.now();
    log.record('c');
    expect(log.revokedSince(before, 'x')).toBe(true);
    expect(log.revokedSince(between, 'x')).toBe(true);
    expect(log.revokedSince(log.now(), 'a', 'b', 'c', undefined)).toBe(false);
  });
});
