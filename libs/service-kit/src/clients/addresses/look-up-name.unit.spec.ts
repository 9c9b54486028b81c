import { describe, expect, it } from '@jest/globals';
import { delay } from '../../util/timing.js';
import { lookUpFewAtOnce } from './look-up-name.js';

const SILENT_AFTER_MS = 20;

const never = new Promise<never>(() => undefined);

describe('the look-up of names', () => {
  it('is not held up by a name about which nobody answers', async () => {
    const lookUp = lookUpFewAtOnce((name) => (name === 'slow.test' ? never : Promise.resolve([`of ${name}`])));
    void lookUp('slow.test');
    const names = ['a.test', 'b.test', 'c.test'];
    expect(await Promise.all(names.map(lookUp))).toEqual([['of a.test'], ['of b.test'], ['of c.test']]);
  });

  it('is held up by two such names once, and by neither after that', async () => {
    const ends = new Map<string, () => void>();
    const lookUp = lookUpFewAtOnce((name) => {
      if (!name.endsWith('.silent')) return Promise.resolve([`of ${name}`]);
      return new Promise((_resolve, reject) => ends.set(name, () => reject(new Error('nobody answers'))));
    }, SILENT_AFTER_MS);
    const first = [lookUp('a.silent'), lookUp('b.silent')];
    await delay(2 * SILENT_AFTER_MS);
    for (const end of ends.values()) end();
    await Promise.allSettled(first);
    ends.clear();
    const second = [lookUp('a.silent'), lookUp('b.silent')];
    const names = ['a.test', 'b.test', 'c.test'];
    expect(await Promise.all(names.map(lookUp))).toEqual([['of a.test'], ['of b.test'], ['of c.test']]);
    expect([...ends.keys()]).toEqual(['a.silent']);
    ends.get('a.silent')?.();
    await Promise.allSettled(second.slice(0, 1));
    // It gets the place in its turn.
    expect([...ends.keys()]).toEqual(['a.silent', 'b.silent']);
    ends.get('b.silent')?.();
    expect((await Promise.allSettled(second)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
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
