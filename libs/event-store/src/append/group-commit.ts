export interface GroupCommitOptions<T, R> {
  /** Writes all or nothing; answers one result for each item, in their order. */
  readonly write: (items: readonly T[]) => Promise<readonly R[]>;
  /** Is the error the fault of an item, so that the others may still be written without it? */
  readonly isFaultOfAnItem: (error: unknown) => boolean;
  /** Items of one write. */
  readonly maxItems: number;
  /** Writes at the same time. */
  readonly maxWrites: number;
  /** Items that wait for a write; beyond it `add` refuses. */
  readonly maxWaiting: number;
}

interface Waiting<T, R> {
  readonly item: T;
  readonly written: (result: R) => void;
  readonly failed: (error: unknown) => void;
}

/** More items wait than may. */
export class GroupCommitFull extends Error {
  constructor(readonly waiting: number) {
    super(`${waiting} items wait to be written`);
    this.name = 'GroupCommitFull';
  }
}

/**
 * Items that come while a write is under way share the next one: a lone item is written at once and waits for nobody,
 * and under load the number of commits stays that of the database, not that of the callers.
 */
export class GroupCommit<T, R> {
  private waiting: Waiting<T, R>[] = [];
  private writes = 0;

  constructor(private readonly options: GroupCommitOptions<T, R>) {}

  /** Resolves with the result of the item once it is written. Rejects with the error of its write, or with `GroupCommitFull`. */
  add(item: T): Promise<R> {
    if (this.waiting.length >= this.options.maxWaiting) {
      return Promise.reject(new GroupCommitFull(this.waiting.length));
    }
    return new Promise((written, failed) => {
      this.waiting.push({ item, written, failed });
      this.next();
    });
  }

  private next(): void {
    if (this.writes >= this.options.maxWrites || this.waiting.length === 0) return;
    const group = this.waiting.splice(0, this.options.maxItems);
    this.writes += 1;
    void this.write(group).then(() => {
      this.writes -= 1;
      this.next();
    });
  }

  /** Never rejects. A group that one item spoils is halved until that item stands alone. */
  private async write(group: readonly Waiting<T, R>[]): Promise<void> {
    let results: readonly R[];
    try {
      results = await this.options.write(group.map(({ item }) => item));
      if (results.length !== group.length) throw new Error('a write answers one result for each item');
    } catch (error) {
      if (group.length > 1 && this.options.isFaultOfAnItem(error)) {
        const middle = Math.ceil(group.length / 2);
        await this.write(group.slice(0, middle));
        await this.write(group.slice(middle));
        return;
      }
      for (const { failed } of group) failed(error);
      return;
    }
    group.forEach(({ written }, index) => written(results[index] as R));
  }
}
