import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess, stillRuns, type ProcessIdentity } from '../system/process-identity.js';

const gracefulMs = 30_000;
const forcedMs = 60_000;

/** A service process that was started and not yet stopped, so that `stack:down` finds it when its starter was killed. */
export interface RecordedService {
  readonly name: string;
  readonly process: ProcessIdentity;
}

const file = (directory: string): string => join(directory, 'services.json');

export function recordServices(directory: string, services: readonly RecordedService[]): void {
  writeFileSync(file(directory), JSON.stringify(services, null, 2), { mode: 0o600 });
}

export function readRecordedServices(directory: string): readonly RecordedService[] {
  if (!existsSync(file(directory))) return [];
  const recorded = JSON.parse(readFileSync(file(directory), 'utf8')) as RecordedService[];
  return recorded.filter((service) => stillRuns(service.process));
}

export async function stopRecordedServices(directory: string, log: (line: string) => void): Promise<void> {
  const running = readRecordedServices(directory);
  await Promise.all(
    running.map(async (service) => {
      await endProcess(service.process, [
        { signal: 'SIGTERM', waitMs: gracefulMs },
        { signal: 'SIGKILL', waitMs: forcedMs },
      ]);
      log(`${service.name} stopped`);
    }),
  );
  if (existsSync(file(directory))) recordServices(directory, []);
}
