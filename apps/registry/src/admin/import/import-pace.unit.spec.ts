import { describe, expect, it } from '@jest/globals';
import { ImportPace } from './import-pace.js';

/** Works for so many milliseconds, in which nothing else can. */
const work = (ms: number): void => {
  for (const untilMs = performance.now() + ms; performance.now() < untilMs;);
};

describe('the pace of an import', () => {
  it('goes on at once where few requests are under way, however busy the process is', async () => {
    let looks = 0;
    const pace = new ImportPace(() => {
      looks += 1;
      return 3;
    });
    work(100);
    await pace.next();
    expect(looks).toBe(1);
  });

  it('waits while many are under way and the process is busy, and goes on when they are answered', async () => {
    let underWay = 100;
    const pace = new ImportPace(() => underWay);
    const busy = setInterval(() => work(18), 1);
    work(100);
    let hasGoneOn = false;
    const waiting = pace.next().then(() => (hasGoneOn = true));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const before = hasGoneOn;
    underWay = 1;
    await waiting;
    clearInterval(busy);
    expect(before).toBe(false);
  });

  it('goes on where many are under way in a process that has time for them', async () => {
    const pace = new ImportPace(() => 100);
    work(100);
    // The first look sees the work, a later one the rest after it.
    await pace.next();
    const looks: number[] = [];
    await new ImportPace(() => looks.push(1) + 100).next();
    expect(looks.length).toBeLessThanOrEqual(1);
  });

  it('goes on in the end, however many there are', async () => {
    const pace = new ImportPace(() => 100);
    const busy = setInterval(() => work(18), 1);
    work(100);
    await pace.next();
    clearInterval(busy);
  });
});
