import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { cpuSeconds, memory, type Memory } from '../machine/processes.js';
import { postgresVersion } from '../settlement/embedded-site.js';
import { StandaloneProcess, type StandaloneOptions } from '../standalone-process.js';
import type { CallTarget } from './call-target.js';

/** By which the bench's own connections are told from those of the services. */
export const BENCH_APPLICATION_NAME = 'capability-router-bench';

export interface StandaloneTarget extends CallTarget {
  /** The memory of Node, the processes of tools included. */
  readonly nodeMemory: () => Memory;
  /** Reading it takes a while: PostgreSQL is many processes. */
  readonly postgresMemory: () => Memory;
  /** Only where it was asked for at the start; makes the process collect its garbage. */
  readonly liveHeapBytes: () => Promise<number>;
}

/** Standalone in a process and a data folder of its own. */
export async function withStandalone<T>(
  work: (target: StandaloneTarget) => Promise<T>,
  options: StandaloneOptions = {},
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'capability-router-bench-'));
  try {
    const standalone = await StandaloneProcess.start(dataDir, options);
    const billing = new pg.Pool({
      connectionString: standalone.billingDatabaseUrl(),
      application_name: BENCH_APPLICATION_NAME,
      max: 2,
    });
    billing.on('error', () => undefined);
    try {
      const { pid, postgresPid } = standalone;
      return await work({
        name: 'standalone',
        origin: standalone.origin,
        adminKey: standalone.demo().admin_key,
        billing,
        books: { args: ['--data-dir', dataDir], env: {} },
        versions: [await postgresVersion(billing)],
        cpu: () => ({ standalone: cpuSeconds(pid, [postgresPid]), PostgreSQL: cpuSeconds(postgresPid) }),
        nodeMemory: () => memory(pid, [postgresPid]),
        postgresMemory: () => memory(postgresPid),
        liveHeapBytes: () => standalone.liveHeapBytes(),
      });
    } finally {
      await billing.end();
      await standalone.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
