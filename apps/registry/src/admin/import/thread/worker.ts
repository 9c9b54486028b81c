/** The thread of imports: to parse, check and hash a hundred thousand tools takes many seconds, in which the service goes on. */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { YamlPool } from '@capability-router/provider-kit/documents';
import { ImportEnded, openPoolAside } from '@capability-router/service-kit/thread';
import { createBirpc } from 'birpc';
import { CatalogueImport, type ImportParts } from '../catalogue-import.js';
import type { ImportCalls, ImportReports, ImportStep, ImportThreadData } from './import-calls.js';

/** One for each import that a replica runs at a time. */
const POOL_SIZE = 2;

// Requests of others come first. On Linux this is the priority of the thread; elsewhere it would be that of the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const { databaseUrl, applicationName } = workerData as ImportThreadData;
let serviceMs = 0;
const parts: ImportParts = {
  pool: openPoolAside({ url: databaseUrl, applicationName, poolSize: POOL_SIZE }),
  clock: { nowMs: () => serviceMs },
  committed: () => void reports.committed.asEvent(),
  yaml: new YamlPool((error) => void reports.failed.asEvent(error)),
};

interface Running {
  readonly work: CatalogueImport;
  /** The last step that was asked for; undefined before the first. */
  last: Promise<ImportStep | undefined>;
}
const running = new Map<number, Running>();

function step(
  id: number,
  nowMs: number,
  take: (work: CatalogueImport) => AsyncIterable<ImportStep['lines'][number]>,
): Promise<ImportStep> {
  const known = running.get(id);
  if (known === undefined) throw new Error(`there is no import ${id}`);
  serviceMs = nowMs;
  // Bytes that were on their way when the import ended are those after a gap: nothing of them is taken.
  const taken = known.last.then((before) =>
    before?.end === undefined ? collect(take(known.work)) : { lines: [], end: before.end },
  );
  known.last = taken;
  return taken;
}

/** Never rejects: lines that come before a failure are reported too. */
async function collect(lines: AsyncIterable<ImportStep['lines'][number]>): Promise<ImportStep> {
  const collected: ImportStep['lines'][number][] = [];
  try {
    for await (const line of lines) collected.push(line);
    return { lines: collected };
  } catch (error) {
    const end =
      error instanceof ImportEnded
        ? ({ expected: true, message: error.message } as const)
        : ({ expected: false, error } as const);
    return { lines: collected, end };
  }
}

const calls: ImportCalls = {
  begin: (id, options) =>
    void running.set(id, { work: new CatalogueImport(parts, options), last: Promise.resolve(undefined) }),
  push: (id, { buffer, byteOffset, byteLength }, nowMs) =>
    step(id, nowMs, (work) => work.push(Buffer.from(buffer, byteOffset, byteLength))),
  finish: (id, nowMs) => step(id, nowMs, (work) => work.finish()),
  leave: async (id) => {
    const known = running.get(id);
    running.delete(id);
    await known?.last;
    await known?.work.settled();
  },
  close: async () => {
    await Promise.all([parts.pool.end(), parts.yaml.onApplicationShutdown()]);
  },
};

const reports = createBirpc<ImportReports, ImportCalls>(calls, {
  post: (message) => parentPort?.postMessage(message),
  on: (hear) => void parentPort?.on('message', hear),
  timeout: -1,
});
