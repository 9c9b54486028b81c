import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { account, directory } from '../test-support/directory.js';

describe('a directory whose lease has lapsed', () => {
  function lapsed() {
    const parts = directory();
    parts.lease.covered = true;
    return parts;
  }

  it('asks about a key that it has cached, and believes the answer', async () => {
    const { credentials, questions, answer, lease } = lapsed();
    const first = credentials.resolve('sk-1');
    await answer(0, account);
    await first;
    lease.covered = false;
    const [asked, familiar] = [credentials.resolve('sk-1'), credentials.resolveFamiliar('sk-1')];
    expect(questions).toHaveLength(2);
    await answer(1, undefined);
    expect([await asked, await familiar]).toEqual([undefined, undefined]);
    lease.covered = true;
    expect(await credentials.resolve('sk-1')).toBeUndefined();
  });

  it('uses what it has cached where identity fails or does not answer', async () => {
    const { credentials, answer, lease } = lapsed();
    const first = credentials.resolve('sk-1');
    await answer(0, account);
    const caller = await first;
    lease.covered = false;
    const failing = credentials.resolve('sk-1');
    await answer(1, new Error('down'));
    expect(await failing).toEqual(caller);
    expect(await credentials.resolve('sk-1')).toEqual(caller);
  });

  it.each([
    ['has ended', ({ clock }: ReturnType<typeof lapsed>) => clock.advanceMs(30_000)],
    ['was evicted', ({ credentials }: ReturnType<typeof lapsed>) => credentials.refresh('acc_1')],
  ])('waits for identity, however long, where what it had cached %s meanwhile', async (_what, lose) => {
    const parts = lapsed();
    const { credentials, answer, lease } = parts;
    const first = credentials.resolve('sk-1');
    await answer(0, account);
    await first;
    lease.covered = false;
    const slow = credentials.resolve('sk-1');
    lose(parts);
    // Beyond the patience with a key that is cached.
    await sleep(400);
    await answer(1, account);
    // An answer that was on its way while an event came is asked for again.
    await answer(2, account);
    expect(await slow).toMatchObject({ account });
  });

  it.each([
    ['has ended', ({ clock }: ReturnType<typeof lapsed>) => clock.advanceMs(30_000)],
    ['was evicted', ({ credentials }: ReturnType<typeof lapsed>) => credentials.revoke('key-1')],
  ])(
    'does not say that a key is invalid where identity fails and what it had cached %s meanwhile',
    async (_what, lose) => {
      const parts = lapsed();
      const { credentials, answer, lease } = parts;
      const first = credentials.resolve('sk-1');
      await answer(0, account);
      await first;
      lease.covered = false;
      const failing = expect(credentials.resolve('sk-1')).rejects.toThrow('down');
      lose(parts);
      await answer(1, new Error('down'));
      await failing;
    },
  );

  it('believes identity that a key is invalid which was evicted meanwhile', async () => {
    const { credentials, answer, lease } = lapsed();
    const first = credentials.resolve('sk-1');
    await answer(0, account);
    await first;
    lease.covered = false;
    const evicted = credentials.resolve('sk-1');
    credentials.revoke('key-1');
    await answer(1, undefined);
    expect(await evicted).toBeUndefined();
  });
});
