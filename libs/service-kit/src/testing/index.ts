export { scratchDatabasesOf, type ScratchDatabases, type ServiceSchema } from './scratch-databases.js';
export type { ScratchDatabase } from '@capability-router/event-store/testing';
export { SilentProxy } from './silent-proxy.js';
