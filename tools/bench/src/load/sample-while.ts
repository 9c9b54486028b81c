import { setTimeout as sleep } from 'node:timers/promises';

/** Takes a sample `everyMs` after the last one while `work` runs; ends when both have. @throws what either throws. */
export async function sampleWhile<T>(work: Promise<T>, everyMs: number, take: () => Promise<void>): Promise<T> {
  const ended = new AbortController();
  const sampling = (async () => {
    for (;;) {
      await sleep(everyMs, undefined, { signal: ended.signal }).catch(() => undefined);
      if (ended.signal.aborted) return;
      await take();
    }
  })();
  const [result] = await Promise.all([work.finally(() => ended.abort()), sampling]);
  return result;
}
