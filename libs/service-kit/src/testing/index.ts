export { describeEntities } from './entities.conformance.js';
export {
  type OlderDatabase,
  type ScratchDatabases,
  scratchDatabasesOf,
  type ServiceSchema,
  withQueryRunner,
} from './scratch-databases.js';
export type { ScratchDatabase } from '@capability-router/event-store/testing';
export { TestIssuer } from './test-issuer.js';
export { SilentProxy } from './silent-proxy.js';
export { startStalledListener } from './stalled-listener.js';
export { type ProgramRun, runProgram } from './run-program.js';
export * from './trace-collector.js';
