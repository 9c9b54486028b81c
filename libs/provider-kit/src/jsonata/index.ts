/** Expressions of mappings. An entry of its own, because whoever maps parameters need not call providers. */
export type { ExpressionFault } from './expression-task.js';
export { JsonataPool, type Computed } from './jsonata-pool.js';
