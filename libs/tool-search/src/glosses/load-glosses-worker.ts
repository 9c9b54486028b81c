/** Reads the dictionary in a thread of its own and hands it over packed. */
import { parentPort } from 'node:worker_threads';
import { loadChineseGlosses } from './load-glosses.js';

const { packed } = loadChineseGlosses();
parentPort?.postMessage(packed, [packed.starts.buffer, packed.wordNumbers.buffer] as ArrayBuffer[]);
