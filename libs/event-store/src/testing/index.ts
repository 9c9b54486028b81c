export { createScratchDatabase, requireEnvironment, type ScratchDatabase } from './scratch-database.js';
