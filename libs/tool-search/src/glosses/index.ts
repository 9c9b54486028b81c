export type { ChineseGlosses, Gloss } from './chinese-glosses.js';
export { loadChineseGlosses } from './load-glosses.js';
