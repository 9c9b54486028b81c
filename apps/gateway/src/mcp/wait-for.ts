import { delay } from '@capability-router/service-kit';

/** Milliseconds between two notices that something still runs. */
const PROGRESS_INTERVAL_MS = 1_000;

export interface Waiting {
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal;
  /** Tells whoever waits how many seconds it has been. Absent: they did not ask. */
  readonly tell?: (seconds: number, message: string) => Promise<void>;
}

/**
 * Waits for work, and tells that it goes on. Whoever stops waiting ends the waiting and not the work: a call that was
 * dispatched is paid for, and its outcome is in the audit. Then it rejects with an `AbortError`.
 */
export async function waitFor<T>(
  work: Promise<T>,
  { signal, tell }: Waiting,
  everyMs = PROGRESS_INTERVAL_MS,
): Promise<T> {
  const ended = new AbortController();
  if (tell !== undefined) void tellEvery(everyMs, tell, ended.signal);
  let stop: () => void = () => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new DOMException('nobody waits any more', 'AbortError'));
  });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  // Nobody hears of the one that comes second.
  work.catch(() => undefined);
  stopped.catch(() => undefined);
  try {
    return await Promise.race([work, stopped]);
  } finally {
    ended.abort();
    signal.removeEventListener('abort', stop);
  }
}

async function tellEvery(everyMs: number, tell: NonNullable<Waiting['tell']>, ended: AbortSignal): Promise<void> {
  for (let turn = 1; ; turn += 1) {
    await delay(everyMs, ended);
    if (ended.aborted) return;
    const seconds = (turn * everyMs) / 1_000;
    // Who has gone meanwhile is told nothing.
    await tell(seconds, `The tool has been running for ${seconds} s.`).catch(() => undefined);
  }
}
