import { describe, expect, it } from '@jest/globals';
import { lookUpFewAtOnce } from './look-up-name.js';

const never = new Promise<never>(() => undefined);

describe('the look-up of names', () => {
  it('is not held up by a name about which nobody answers', async () => {
    const lookUp = lookUpFewAtOnce((name) => (name === 'slow.test' ? never : Promise.resolve([`of ${name}`])));
    void lookUp('slow.test');
    const names = ['a.test', 'b.test', 'c.test'];
    expect(await Promise.all(names.map(lookUp))).toEqual([['of a.test'], ['of b.test'], ['of c.test']]);
  });

  it('takes two threads at most, whatever fails', async () => {
    let running = 0;
    let most = 0;
    const lookUp = lookUpFewAtOnce(async (name) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      if (name === '3') throw new Error('unknown');
      return [name];
    });
    const found = await Promise.allSettled(Array.from({ length: 8 }, (_none, i) => lookUp(String(i))));
    expect(found.map(({ status }) => status === 'fulfilled')).toEqual([
      true,
      true,
      true,
      false,
      true,
      true,
      true,
      true,
    ]);
    expect([most, running]).toEqual([2, 0]);
  });
});
