export { ChineseGlosses } from './chinese-glosses.js';
export type { Gloss } from './chinese-glosses.js';
export { loadChineseGlossesApart } from './load-glosses-apart.js';
export { loadChineseGlosses } from './load-glosses.js';
