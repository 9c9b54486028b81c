import { describe, expect, it } from '@jest/globals';
import { clean, cpuPerRequest, timedRound, turnAbout, type Answers, type Round } from './rounds.js';

const answers = (good: number, cpuSeconds = 0): Answers => ({ good, bad: {}, cpuSeconds });

describe('timedRound', () => {
  it('counts what each process took meanwhile, and the load generator', async () => {
    const readings = [
      { router: 10, database: 4 },
      { router: 12.5, database: 4.25 },
    ];
    const round = await timedRound(
      () => readings.shift() ?? {},
      () => Promise.resolve(answers(100, 0.5)),
    );
    expect(round.cpu).toEqual({ router: 2.5, database: 0.25, 'load generator': 0.5 });
  });
});

describe('turnAbout', () => {
  it('runs a round of each before the next of any', async () => {
    const order: string[] = [];
    const rounds = await turnAbout(['a', 'b'], 2, (name) => {
      order.push(name);
      return Promise.resolve({ result: answers(order.length), cpu: {} });
    });
    expect(order).toEqual(['a', 'b', 'a', 'b']);
    expect(rounds('b').map(({ result }) => result.good)).toEqual([2, 4]);
  });
});

describe('cpuPerRequest', () => {
  it('is the median of the rounds, in microseconds, by process', () => {
    const round = (good: number, router: number): Round<Answers> => ({ result: answers(good), cpu: { router } });
    expect(cpuPerRequest([round(1_000, 1), round(2_000, 4), round(1_000, 9)])).toEqual({ router: 2_000 });
  });
});

describe('clean', () => {
  it('throws away a run with any other answer, and says what it was', () => {
    expect(clean(answers(3))).toEqual(answers(3));
    expect(() => clean({ ...answers(3), bad: { 503: 1 }, badSample: 'later' })).toThrow(/503.*later/);
  });
});
