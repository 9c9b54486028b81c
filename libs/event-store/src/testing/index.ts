export { planOf } from './plan-of.js';
export {
  createDatabase,
  createScratchDatabase,
  requireEnvironment,
  type ScratchDatabase,
  type ScratchOptions,
} from './scratch-database.js';
export type { Template } from './template-database.js';
export { untilReadable } from './until-readable.js';
