/** A session is kept between two calls. */
export interface Closable {
  readonly closed: boolean;
  close(): Promise<void>;
}

interface Waiting<S> {
  readonly session: S;
  readonly timer: NodeJS.Timeout;
}

/** Sessions that wait for their next call, the last one used first. Beyond a number, or a time, they are closed. */
export class IdleSessions<S extends Closable> {
  private readonly waiting: Waiting<S>[] = [];
  private closed = false;

  constructor(
    private readonly maxIdle: number,
    /** Milliseconds. */
    private readonly idleMs: number,
  ) {}

  take(): S | undefined {
    for (let next = this.waiting.pop(); next !== undefined; next = this.waiting.pop()) {
      clearTimeout(next.timer);
      if (!next.session.closed) return next.session;
    }
    return undefined;
  }

  put(session: S): void {
    if (session.closed) return;
    if (this.closed || this.waiting.length >= this.maxIdle) {
      void session.close();
      return;
    }
    const timer = setTimeout(() => {
      const index = this.waiting.findIndex((other) => other.session === session);
      if (index !== -1) this.waiting.splice(index, 1);
      void session.close();
    }, this.idleMs).unref();
    this.waiting.push({ session, timer });
  }

  get size(): number {
    return this.waiting.length;
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(
      this.waiting.splice(0).map(({ session, timer }) => {
        clearTimeout(timer);
        return session.close();
      }),
    );
  }
}
