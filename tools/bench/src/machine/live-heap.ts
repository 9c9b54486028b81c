/** Loaded into a process before its program (`node --expose-gc --import`), so that the bench can ask what it holds. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

/** For what finalisers of the first collection let go. */
const PAUSE_MS = 50;

export interface LiveHeap {
  /** The bytes that the main thread holds after a full collection: JavaScript objects and the buffers they own. */
  readonly liveHeapBytes: number;
}

// Worker threads load it, too, but have no channel to the bench.
if (isMainThread) {
  process.on('message', () => void answer());
  // Listening must not keep a process alive that has nothing else to do.
  process.channel?.unref();
}

async function answer(): Promise<void> {
  globalThis.gc?.();
  await sleep(PAUSE_MS);
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ liveHeapBytes: heapUsed + external } satisfies LiveHeap);
}
