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

/**
 * Calls `act` after `ms` milliseconds, once what has arrived by then was read: so a process that was busy itself does not
 * take its own delay for another's silence. Returns what undoes it.
 */
export function onceLate(ms: number, act: () => void): () => void {
  let undone = false;
  const timer = setTimeout(() => {
    // Timers run before what has arrived is read, immediates after it.
    setImmediate(() => {
      if (!undone) act();
    });
  }, ms);
  return () => {
    undone = true;
    clearTimeout(timer);
  };
}
