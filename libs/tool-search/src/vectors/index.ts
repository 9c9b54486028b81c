export { encodeVectorTable } from './vector-file.js';
export type { VectorTable } from './vector-file.js';
export { loadEnglishVectors, loadWordVectors, wordVectorsOf } from './word-vectors.js';
export type { WordVectors } from './word-vectors.js';
