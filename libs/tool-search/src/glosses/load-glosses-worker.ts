/** Reads the dictionary in a thread of its own, keeps what it read for later starts, and hands it over packed. */
import { parentPort } from 'node:worker_threads';
import { dictionaryFile } from './dictionary-file.js';
import { keepGlosses } from './kept-glosses.js';
import { loadChineseGlosses } from './load-glosses.js';

const { packed } = loadChineseGlosses();
keepGlosses(dictionaryFile(), packed);
parentPort?.postMessage(packed, [packed.starts.buffer, packed.wordNumbers.buffer] as ArrayBuffer[]);
