import { Worker } from 'node:worker_threads';
import { ChineseGlosses, type PackedGlosses } from './chinese-glosses.js';
import { dictionaryFile } from './dictionary-file.js';
import { keptGlosses } from './kept-glosses.js';

// The compiled file, also when this one runs from source.
const workerFile = new URL('../../dist/glosses/load-glosses-worker.js', import.meta.url);

let loading: Promise<ChineseGlosses> | undefined;

/**
 * As `loadChineseGlosses`, from what an earlier start has kept, or else read in a thread: the event loop goes on meanwhile, and the hundred megabytes that the
 * reading takes for a moment go with the thread. Rejects where the package is missing.
 */
export function loadChineseGlossesApart(): Promise<ChineseGlosses> {
  loading ??= readApart().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function readApart(): Promise<ChineseGlosses> {
  const kept = keptGlosses(dictionaryFile());
  return kept === undefined ? readInThread() : ChineseGlosses.unpack(kept);
}

function readInThread(): Promise<ChineseGlosses> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(workerFile);
    thread.once('message', (packed: PackedGlosses) => resolve(ChineseGlosses.unpack(packed)));
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`the thread that reads the dictionary ended with ${code}`)));
  });
}
