import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { stopRecordedServices } from './services/recorded-services.js';
import { readState, stackDirectory, writeState, type PartName } from './stack-state.js';
import { endProcess, stillRuns } from './system/process-identity.js';

const gracefulMs = 30_000;
const forcedMs = 60_000;

/** SIGINT is PostgreSQL's fast shutdown: SIGTERM would wait for every session to leave. */
const gracefulSignal: Readonly<Record<PartName, NodeJS.Signals>> = {
  kafka: 'SIGTERM',
  redis: 'SIGTERM',
  postgres: 'SIGINT',
};

const dataEntries = [
  'postgres',
  'redis',
  'kafka',
  'logs',
  'shared',
  'compile-cache',
  'services.json',
  'demo.json',
  'stack.json',
];

export interface StopStackOptions {
  readonly directory?: string;
  readonly log?: (line: string) => void;
  /** True deletes the data too; the downloaded Kafka jars stay. */
  readonly removeData?: boolean;
}

/** Stops exactly the processes that `startStack` and `startServices` recorded, each checked to be the same process. */
export async function stopStack(options: StopStackOptions = {}): Promise<void> {
  const directory = options.directory ?? stackDirectory();
  const log = options.log ?? (() => undefined);
  await stopRecordedServices(directory, log);
  const state = readState(directory);
  for (const name of ['kafka', 'redis', 'postgres'] as const) {
    const part = state.parts?.[name];
    if (part === undefined || !stillRuns(part.process)) continue;
    await endProcess(part.process, [
      { signal: gracefulSignal[name], waitMs: gracefulMs },
      { signal: 'SIGKILL', waitMs: forcedMs },
    ]);
    log(`${name} stopped`);
  }
  if (options.removeData !== true) {
    // Ports and passwords stay for the next start; without URLs nobody takes the stack for running.
    const { databases: _databases, postgresUrl: _postgresUrl, ...rest } = state;
    if (state.parts !== undefined) writeState(rest);
    return;
  }
  for (const entry of dataEntries) rmSync(join(directory, entry), { recursive: true, force: true });
}
