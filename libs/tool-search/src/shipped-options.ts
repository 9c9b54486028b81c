import { loadChineseGlosses, loadChineseGlossesApart } from './glosses/index.js';
import type { ToolIndexOptions } from './tool-index.js';
import { loadWordVectors } from './vectors/index.js';

/** The index with everything that this library ships; reads its data once a process. Throws where data is missing. */
export function shippedOptions(): ToolIndexOptions {
  return { wordVectors: loadWordVectors(), glosses: loadChineseGlosses() };
}

/** The same, with the dictionary read in a thread: for a service, whose memory and start it spares. */
export async function loadShippedOptions(): Promise<ToolIndexOptions> {
  return { wordVectors: loadWordVectors(), glosses: await loadChineseGlossesApart() };
}
