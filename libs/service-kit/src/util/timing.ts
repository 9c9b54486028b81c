/** Resolves after `ms` milliseconds, or at once when the signal is aborted. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal?.addEventListener('abort', finish, { once: true });
  });
}

/** Milliseconds by which a timer is late in a process that was stopped, or busy for long, and not merely busy. */
const STOPPED_MS = 200;
/** Milliseconds that whoever is waited for gets at most when this process goes on. */
const GRACE_MS = 1_000;

export interface Deadline {
  /** It begins anew. */
  refresh(): void;
  /** It does not come any more. */
  cancel(): void;
}

/**
 * Calls `act` after `ms` milliseconds, once what has arrived by then was read. A process that was stopped meanwhile gives as
 * many milliseconds again, a second at most and once: it does not take its own silence for another's, to whom it may have sent
 * nothing yet.
 */
export function deadline(ms: number, act: () => void): Deadline {
  let cancelled = false;
  let graced = false;
  let dueMs = performance.now() + ms;
  const fire = (): void => {
    if (!graced && performance.now() - dueMs > STOPPED_MS) {
      graced = true;
      timer = setTimeout(fire, Math.min(ms, GRACE_MS));
      return;
    }
    const firedForMs = dueMs;
    // Timers run before what has arrived is read, immediates after it.
    setImmediate(() => {
      if (!cancelled && dueMs === firedForMs) act();
    });
  };
  let timer = setTimeout(fire, ms);
  return {
    refresh() {
      if (cancelled) return;
      dueMs = performance.now() + ms;
      if (graced) {
        clearTimeout(timer);
        timer = setTimeout(fire, ms);
        graced = false;
      } else timer.refresh();
    },
    cancel() {
      cancelled = true;
      clearTimeout(timer);
    },
  };
}

/** As `deadline`. Returns what undoes it. */
export const onceLate = (ms: number, act: () => void): (() => void) => deadline(ms, act).cancel;
