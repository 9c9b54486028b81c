export interface Bound {
  readonly signal: AbortSignal;
  timedOut(): boolean;
  /** Nothing is left of it: neither its timer nor what it put on the signal of the caller. */
  end(): void;
}

/**
 * A signal that aborts after so many milliseconds, or with the caller's. `streams`: what is read later still ends with the caller's. One timer
 * of `AbortSignal.timeout` for each request would stay for minutes.
 */
export function abortAfter(timeoutMs: number, outer: AbortSignal | undefined, streams: boolean): Bound {
  const controller = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, timeoutMs);
  const onAbort = (): void => controller.abort(outer?.reason);
  outer?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    timedOut: () => timedOut,
    end: () => {
      clearTimeout(timer);
      if (!streams) outer?.removeEventListener('abort', onAbort);
    },
  };
}

/** Resolves after so many milliseconds; rejects with the reason of the signal. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
