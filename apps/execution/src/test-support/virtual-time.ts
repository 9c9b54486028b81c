/** More than what is tested needs from one time to the next; a turn of the event loop would cost a hundred times as much. */
const MICROTASK_TURNS = 24;

/** Time that passes only when nothing else is left to do. */
export class VirtualTime {
  private waiting: { readonly atMs: number; readonly resolve: () => void }[] = [];

  constructor(public nowMs: number) {}

  /** Resolves after milliseconds, or when the signal comes. */
  after(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push({ atMs: this.nowMs + ms, resolve });
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Lets time pass until that is settled; whoever waits at one time goes on in the order in which they began to wait. */
  async until<T>(promise: Promise<T>): Promise<T> {
    const state = { isSettled: false };
    const settled = promise.finally(() => (state.isSettled = true));
    for (;;) {
      for (let turn = 0; turn < MICROTASK_TURNS && !state.isSettled; turn += 1) await Promise.resolve();
      if (state.isSettled) return settled;
      const next = this.waiting.reduce((soonest, one) => (one.atMs < soonest.atMs ? one : soonest));
      this.waiting = this.waiting.filter((one) => one !== next);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.resolve();
    }
  }
}
