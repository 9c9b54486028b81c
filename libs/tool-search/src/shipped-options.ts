import { loadChineseGlosses } from './glosses/index.js';
import type { ToolIndexOptions } from './tool-index.js';
import { loadWordVectors } from './vectors/index.js';

/** The index with everything that this library ships; reads its data once a process. Throws where data is missing. */
export function shippedOptions(): ToolIndexOptions {
  return { wordVectors: loadWordVectors(), glosses: loadChineseGlosses() };
}
