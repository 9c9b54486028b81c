import { describe, expect, it } from '@jest/globals';
import { FairTurns, type Waited } from './fair-turns.js';

/** Lets each holder ask as often as its letter is there; what came of it is written down in its order. */
function ask(turns: FairTurns, holders: string): { readonly order: string[]; readonly giveUp: (() => void)[] } {
  const order: string[] = [];
  const giveUp: (() => void)[] = [];
  [...holders].forEach((holder, index) => {
    const heard = (waited: Waited): void =>
      void order.push(waited === 'granted' ? holder : `${holder}${index} ${waited}`);
    void turns.wait(holder, (act) => giveUp.push(act)).then(heard);
  });
  return { order, giveUp };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Gives back one turn after the other, each by who got it last. */
async function serve(turns: FairTurns, order: string[], first: string): Promise<void> {
  turns.release(first);
  for (let served = 0; served < order.length || (await settled(), served < order.length); served += 1) {
    const holder = order[served] ?? '';
    if (holder.length === 1) turns.release(holder);
    await settled();
  }
}

describe('turns that accounts share', () => {
  it('are served by account, round about, however many calls one has', async () => {
    const turns = new FairTurns(1, 100);
    expect(turns.tryTake('x')).toBe(true);
    const { order } = ask(turns, 'aaaaabbc');
    await serve(turns, order, 'x');
    expect(order.join('')).toBe('abcabaaa');
    expect(turns.inFlight).toBe(0);
  });

  it('are never all with one account, while there is more than one', async () => {
    const turns = new FairTurns(3, 100);
    expect([1, 2, 3, 4].map(() => turns.tryTake('a'))).toEqual([true, true, false, false]);
    const { order } = ask(turns, 'aa');
    await settled();
    expect(order).toEqual([]);
    expect(turns.tryTake('b')).toBe(true);
    expect(turns.tryTake('c')).toBe(false);
    turns.release('a');
    await settled();
    expect(order).toEqual(['a']);
  });

  it('may all be with one account where there is only one', () => {
    const turns = new FairTurns(1, 0);
    expect(turns.tryTake('a')).toBe(true);
  });

  it('refuse the newest call of whoever has most waiting, where the queue is full', async () => {
    const turns = new FairTurns(1, 3);
    turns.tryTake('x');
    const { order } = ask(turns, 'aaab');
    await settled();
    expect(order).toEqual(['a2 refused']);
    expect(turns.queued).toBe(3);
  });

  it('refuse a call of whoever has as much waiting as anybody, where the queue is full', async () => {
    const turns = new FairTurns(1, 2);
    turns.tryTake('x');
    const { order } = ask(turns, 'aba');
    await settled();
    expect(order).toEqual(['a2 refused']);
  });

  it('forget a call that gives up, and everybody who has neither a turn nor waits', async () => {
    const turns = new FairTurns(1, 3);
    turns.tryTake('x');
    const { order, giveUp } = ask(turns, 'ab');
    giveUp[0]?.();
    await settled();
    expect(order).toEqual(['a0 given_up']);
    await serve(turns, order, 'x');
    expect(order).toEqual(['a0 given_up', 'b']);
    expect([turns.inFlight, turns.queued]).toEqual([0, 0]);
  });

  it('cannot be given back by who has none', () => {
    expect(() => new FairTurns(1, 1).release('a')).toThrow('no turn');
  });
});
