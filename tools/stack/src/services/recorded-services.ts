import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContextName } from '@capability-router/contracts';
import { endProcess, stillRuns, type ProcessIdentity } from '../system/process-identity.js';
import type { ReplicaAddress, ServiceEnvironment } from './service-environment.js';

const gracefulMs = 30_000;
const forcedMs = 60_000;

/**
 * A replica of a service that was started, so that `stack:down` finds its process when the starter was killed, and that
 * another process can stop it and start it anew.
 */
export interface RecordedService {
  readonly name: ContextName;
  /** From 0. */
  readonly index: number;
  readonly address: ReplicaAddress;
  readonly environment: ServiceEnvironment;
  /** The variables that its running process was given over `environment`. */
  readonly extra: ServiceEnvironment;
  /** Absent while it is stopped. */
  readonly process?: ProcessIdentity;
}

type RunningService = RecordedService & Required<Pick<RecordedService, 'process'>>;

const file = (directory: string): string => join(directory, 'services.json');

export function recordServices(directory: string, services: readonly RecordedService[]): void {
  writeFileSync(file(directory), JSON.stringify(services, null, 2), { mode: 0o600 });
}

/** Services that were recorded, also where they are stopped. */
export function readRecordedServices(directory: string): readonly RecordedService[] {
  return existsSync(file(directory)) ? (JSON.parse(readFileSync(file(directory), 'utf8')) as RecordedService[]) : [];
}

export function readRunningServices(directory: string): readonly RunningService[] {
  return readRecordedServices(directory).flatMap((service) =>
    service.process !== undefined && stillRuns(service.process) ? [{ ...service, process: service.process }] : [],
  );
}

/** Stops whatever replica runs, whoever started it last. */
export async function stopRecordedServices(
  directory: string,
  log: (line: string) => void = () => undefined,
): Promise<void> {
  const running = readRunningServices(directory);
  await Promise.all(
    running.map(async (service) => {
      await endProcess(service.process, [
        { signal: 'SIGTERM', waitMs: gracefulMs },
        { signal: 'SIGKILL', waitMs: forcedMs },
      ]);
      log(`${service.name} ${service.index} stopped`);
    }),
  );
  if (existsSync(file(directory))) recordServices(directory, []);
}
