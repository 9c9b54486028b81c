export { createScratchDatabase, requireEnvironment, type ScratchDatabase } from './scratch-database.js';
export { untilReadable } from './until-readable.js';
