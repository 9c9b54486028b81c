import { mkdtemp, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds, memory } from '../machine/processes.js';
import { StandaloneProcess } from '../standalone-process.js';
import { generateCatalogue, lastToolId, lastToolName } from './generate-catalogue.js';
import { sendImport, type ImportRun } from './send-import.js';

const FOLLOW_TIMEOUT_MS = 300_000;
const POLL_MS = 100;
const SETTLE_MS = 10_000;
const BYTES_PER_KILOBYTE = 1_024;

interface Seconds {
  readonly node: number;
  readonly postgres: number;
}

export interface CatalogueImportResult {
  readonly tools: number;
  readonly first: ImportRun & { readonly cpu: Seconds };
  /** Milliseconds after the summary until a search by its name finds the last tool, and until a Call knows it. */
  readonly searchableMs: number;
  readonly callableMs: number;
  readonly again: ImportRun & { readonly cpu: Seconds };
  readonly dryRun: ImportRun;
  /** Bytes of the Node process: before, at its highest, and at rest after all of it (PSS; the peak is RSS). */
  readonly memory: { readonly before: number; readonly peak: number; readonly after: number };
  readonly restart: { readonly emptyMs: number; readonly fullMs: number; readonly memory: number };
}

/** One import into an empty standalone, through its gateway; then the same again, dry, and a restart with it. */
export async function measureCatalogueImport(
  tools: number,
  log: (line: string) => void,
): Promise<CatalogueImportResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'capability-router-bench-'));
  try {
    const emptyMs = await restarted(dataDir, () => undefined).then(() => restarted(dataDir, ({ readyMs }) => readyMs));
    const measured = await restarted(dataDir, (standalone) => measureOn(standalone, tools, log));
    const full = await restarted(dataDir, async ({ readyMs, pid, postgresPid }) => {
      await sleep(SETTLE_MS);
      return { fullMs: readyMs, memory: memory(pid, [postgresPid]).pss };
    });
    log(`restart with ${tools} tools: ready after ${full.fullMs.toFixed(0)} ms, ${emptyMs.toFixed(0)} ms without`);
    return { tools, ...measured, restart: { emptyMs, ...full } };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function restarted<T>(dataDir: string, work: (standalone: StandaloneProcess) => T | Promise<T>): Promise<T> {
  const standalone = await StandaloneProcess.start(dataDir);
  try {
    return await work(standalone);
  } finally {
    await standalone.stop();
  }
}

async function measureOn(
  standalone: StandaloneProcess,
  tools: number,
  log: (line: string) => void,
): Promise<Omit<CatalogueImportResult, 'tools' | 'restart'>> {
  const { origin, pid, postgresPid } = standalone;
  const { admin_key: adminKey, api_key: key } = standalone.demo();
  const target = { origin, adminKey };
  const timed = async (query = ''): Promise<ImportRun & { cpu: Seconds }> => {
    const before = cpuOf(standalone);
    const run = await sendImport(target, generateCatalogue(tools), query);
    const after = cpuOf(standalone);
    log(`import${query}: ${(run.ms / 1_000).toFixed(1)} s, ${JSON.stringify(run.results)}`);
    return { ...run, cpu: { node: after.node - before.node, postgres: after.postgres - before.postgres } };
  };
  const before = memory(pid, [postgresPid]).pss;
  const dryRun = await timed('?dry_run=true');
  const first = await timed();
  const startedMs = performance.now();
  const searchable = until(async () => {
    const found = await post(origin, '/api/v1/search', key, { query: lastToolName(tools), limit: 1 });
    return JSON.stringify(found).includes(lastToolId(tools));
  });
  // Without its parameters the tool is not run: execution answers 422 as soon as it knows the contract.
  const callable = until(async () => {
    const answer = await post(origin, `/api/v1/tools/execute?tool_id=${lastToolId(tools)}`, key, { parameters: {} });
    return JSON.stringify(answer).includes('_id');
  });
  const since = (wait: Promise<void>): Promise<number> => wait.then(() => performance.now() - startedMs);
  const [searchableMs, callableMs] = await Promise.all([since(searchable), since(callable)]);
  log(`searchable after ${searchableMs.toFixed(0)} ms, callable after ${callableMs.toFixed(0)} ms`);
  const again = await timed();
  await sleep(SETTLE_MS);
  const after = memory(pid, [postgresPid]).pss;
  return { first, searchableMs, callableMs, again, dryRun, memory: { before, peak: peakOf(pid), after } };
}

function cpuOf({ pid, postgresPid }: StandaloneProcess): Seconds {
  return { node: cpuSeconds(pid, [postgresPid]), postgres: cpuSeconds(postgresPid) };
}

/** Bytes of resident memory that the process ever had. */
function peakOf(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return Number(kilobytes ?? 0) * BYTES_PER_KILOBYTE;
}

async function post(origin: string, path: string, key: string, body: object): Promise<unknown> {
  const answer = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.json();
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + FOLLOW_TIMEOUT_MS;
  while (!(await holds())) {
    if (performance.now() > deadlineMs) throw new Error('what was imported did not arrive');
    await sleep(POLL_MS);
  }
}
