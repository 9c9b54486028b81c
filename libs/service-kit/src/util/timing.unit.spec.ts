import { describe, expect, it } from '@jest/globals';
import { deadline, delay } from './timing.js';

/** As if the process were stopped. */
const stop = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Timers that are due have run, and what they put off has. */
const turn = async (): Promise<void> => {
  await delay(0);
  await new Promise(setImmediate);
};

describe('a deadline', () => {
  it('comes once, and not where it is cancelled', async () => {
    let came = 0;
    deadline(20, () => (came += 1));
    deadline(20, () => (came += 100)).cancel();
    while (came === 0) await delay(5);
    await delay(60);
    expect(came).toBe(1);
  });

  it('does not come while it is refreshed, and comes afterwards', async () => {
    let came = 0;
    const late = deadline(200, () => (came += 1));
    for (let i = 0; i < 20; i += 1) {
      await delay(15);
      late.refresh();
    }
    expect(came).toBe(0);
    while (came === 0) await delay(5);
  });

  it('gives others time again once the process goes on after it was stopped, and comes then', async () => {
    let came = 0;
    deadline(100, () => (came += 1));
    stop(500);
    await turn();
    expect(came).toBe(0);
    while (came === 0) await delay(5);
  });
});
