/** The end that a call has from outside: its deadline, or whoever gives it up. */
export class CallLimits {
  over = false;
  private readonly timer: NodeJS.Timeout | undefined;
  private act: (() => void) | undefined;
  private resolve: ((over: 'over') => void) | undefined;

  /** `deadlineMs` from now. */
  constructor(
    deadlineMs: number,
    private readonly signal?: AbortSignal,
  ) {
    if (deadlineMs <= 0 || signal?.aborted === true) {
      this.over = true;
      return;
    }
    this.timer = setTimeout(this.end, deadlineMs);
    signal?.addEventListener('abort', this.end, { once: true });
  }

  /** Sets what is done at the end, in place of what was set before. It is done at once where the end has come. */
  onOver(act: (() => void) | undefined): void {
    this.act = act;
    if (this.over) act?.();
  }

  whenOver(): Promise<'over'> {
    if (this.over) return Promise.resolve('over');
    return new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  /** The call has ended before its limit. */
  clear(): void {
    clearTimeout(this.timer);
    this.signal?.removeEventListener('abort', this.end);
  }

  private readonly end = (): void => {
    this.over = true;
    this.act?.();
    this.resolve?.('over');
  };
}
