import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { waitFor } from './wait-for.js';

const never = new AbortController().signal;

describe('waiting for a call', () => {
  it('tells that it goes on, with a number that grows, until it ends', async () => {
    const told: [number, string][] = [];
    let tellMore: () => void = () => undefined;
    const thrice = new Promise<void>((resolve) => (tellMore = resolve));
    const tell = async (seconds: number, message: string): Promise<void> => {
      told.push([seconds, message]);
      if (told.length === 3) tellMore();
    };
    expect(
      await waitFor(
        thrice.then(() => 'done'),
        { signal: never, tell },
        1,
      ),
    ).toBe('done');
    const count = told.length;
    expect(told.slice(0, 3).map(([seconds]) => seconds)).toEqual([0.001, 0.002, 0.003]);
    await sleep(10);
    expect(told).toHaveLength(count);
  });

  it('ends when nobody waits any more, and the work does not', async () => {
    const gone = new AbortController();
    let ended = false;
    const work = sleep(20).then(() => (ended = true));
    const waiting = waitFor(work, { signal: gone.signal });
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    expect(ended).toBe(false);
    await work;
    expect(ended).toBe(true);
    await expect(waitFor(work, { signal: gone.signal })).resolves.toBe(true);
  });

  it('is not disturbed by somebody who cannot be told', async () => {
    const tell = (): Promise<void> => Promise.reject(new Error('the stream is closed'));
    expect(
      await waitFor(
        sleep(10).then(() => 1),
        { signal: never, tell },
        1,
      ),
    ).toBe(1);
    await expect(waitFor(Promise.reject(new Error('no')), { signal: never })).rejects.toThrow('no');
  });
});
