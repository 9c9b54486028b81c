/** Writes under way at once. */
const MAX_WRITES = 64;
/** Bytes that they hold; a result that is larger than that is written alone. */
const MAX_BYTES = 134_217_728;
/** Writes that have not ended in their time; while there are that many, the store is taken to hang. */
const MAX_OVERDUE = 8;

/** It did not end in its time; whether it ever will is not known. */
export class TookTooLong extends Error {
  override name = 'TookTooLong';
}

/** A result is not kept for this reason. Nothing is wrong with the result, and nothing needs to be with the store. */
export class NotKept extends Error {
  override name = 'NotKept';
}

/**
 * Keeps a store that hangs from holding up calls or filling the memory: a bound on what is being written, and on how
 * long anyone waits for it. A write cannot be taken back, so one that is late goes on and is undone once it has ended.
 */
export class WriteBounds {
  private writes = 0;
  private bytes = 0;
  private overdue = 0;

  get inFlight(): number {
    return this.writes;
  }

  /** Throws `TookTooLong`, `NotKept`, or what `write` throws. `undo` is called after a late success. */
  async run(
    { sizeBytes, waitMs }: { readonly sizeBytes: number; readonly waitMs: number },
    write: () => Promise<void>,
    undo: () => Promise<void>,
  ): Promise<void> {
    if (waitMs <= 0) throw new TookTooLong('no time is left to keep the result');
    if (this.overdue >= MAX_OVERDUE) throw new NotKept(`${this.overdue} writes are overdue`);
    if (this.writes >= MAX_WRITES || (this.writes > 0 && this.bytes + sizeBytes > MAX_BYTES)) {
      throw new NotKept(`${this.writes} results of ${this.bytes} bytes are being written`);
    }
    this.writes += 1;
    this.bytes += sizeBytes;
    const writing = write().finally(() => {
      this.writes -= 1;
      this.bytes -= sizeBytes;
    });
    try {
      await withinTime(writing, waitMs);
    } catch (error) {
      if (error instanceof TookTooLong) this.wait(writing, undo);
      throw error;
    }
  }

  private wait(writing: Promise<void>, undo: () => Promise<void>): void {
    this.overdue += 1;
    // The sweep finds what could not be undone.
    writing
      .finally(() => (this.overdue -= 1))
      .then(undo)
      .catch(() => undefined);
  }
}

/** Throws `TookTooLong` after so many milliseconds. */
export async function withinTime<T>(work: Promise<T>, waitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TookTooLong(`the result store took more than ${waitMs} ms`)), waitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
