import { describe, expect, it } from '@jest/globals';
import { GroupCommit, GroupCommitFull } from './group-commit.js';

/** A store whose writes end when the test says so. */
class Store {
  readonly groups: number[][] = [];
  private readonly ends: (() => void)[] = [];
  held = true;

  /** Answers each item doubled. */
  readonly write = async (items: readonly number[]): Promise<number[]> => {
    this.groups.push([...items]);
    if (this.held) await new Promise<void>((end) => this.ends.push(end));
    if (items.some((item) => item < 0)) throw new RangeError('negative');
    if (items.includes(0)) throw new Error('down');
    return items.map((item) => item * 2);
  };

  release(): void {
    this.held = false;
    for (const end of this.ends.splice(0)) end();
  }
}

const over = (store: Store, limits: Partial<{ maxItems: number; maxWrites: number; maxWaiting: number }> = {}) =>
  new GroupCommit<number, number>({
    write: store.write,
    isFaultOfAnItem: (error) => error instanceof RangeError,
    maxItems: 10,
    maxWrites: 1,
    maxWaiting: 10,
    ...limits,
  });

describe('group commit', () => {
  it('writes a lone item at once, and what comes meanwhile together', async () => {
    const store = new Store();
    const commits = over(store);
    const added = [1, 2, 3, 4].map((item) => commits.add(item));
    expect(store.groups).toEqual([[1]]);
    store.release();
    expect(await Promise.all(added)).toEqual([2, 4, 6, 8]);
    expect(store.groups).toEqual([[1], [2, 3, 4]]);
  });

  it('keeps to its limits of items and of writes', async () => {
    const store = new Store();
    const commits = over(store, { maxItems: 2, maxWrites: 2 });
    const added = [1, 2, 3, 4, 5].map((item) => commits.add(item));
    expect(store.groups).toEqual([[1], [2]]);
    store.release();
    await Promise.all(added);
    expect(store.groups.slice(2).flat()).toEqual([3, 4, 5]);
    expect(Math.max(...store.groups.map((group) => group.length))).toBe(2);
  });

  it('does not answer before the write has ended', async () => {
    const store = new Store();
    let answered = false;
    const added = over(store)
      .add(1)
      .then(() => (answered = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(false);
    store.release();
    await added;
    expect(answered).toBe(true);
  });

  it('lets an item at fault fail alone', async () => {
    const store = new Store();
    const commits = over(store);
    const added = [1, 2, 3, -4, 5].map((item) => commits.add(item));
    store.release();
    expect((await Promise.allSettled(added)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  it('fails the whole group, once, where the store is at fault', async () => {
    const store = new Store();
    const commits = over(store);
    const added = [1, 0, 2].map((item) => commits.add(item));
    store.release();
    expect((await Promise.allSettled(added)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(store.groups).toEqual([[1], [0, 2]]);
    await commits.add(3);
  });

  it('refuses what it has no room for', async () => {
    const store = new Store();
    const commits = over(store, { maxWaiting: 1 });
    const added = [commits.add(1), commits.add(2)];
    await expect(commits.add(3)).rejects.toThrow(GroupCommitFull);
    store.release();
    await Promise.all(added);
  });
});
