import {
  countFacts,
  discardRebuild,
  rebuildUsageAudit,
  RebuildRunningError,
  type RebuildReport,
} from '@capability-router/billing/books';
import { openPool } from '@capability-router/service-kit';
import { runningDatabases } from '@capability-router/standalone/embedded-postgres';
import type pg from 'pg';
import type { GlobalOptions } from '../admin-api.js';
import { reading } from '../deployment/deployment.js';
import { leavesBehind } from '../interruption.js';
import { startProgress } from '../progress.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** One for the lock, three that write, one that reads ahead, one to spare. */
const CONNECTIONS = 6;
const OWNER_URL = 'BILLING_DATABASE_OWNER_URL';

export interface RebuildCommandOptions {
  readonly dataDir?: string;
  readonly discard?: boolean;
}

/** @throws CommandError where it could not be done whole */
export async function rebuild(
  projection: string,
  options: RebuildCommandOptions,
  global: GlobalOptions,
  terminal: Terminal,
): Promise<void> {
  const owner = openPool({
    connectionString: await ownerUrl(options, terminal),
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'caprouter',
  });
  try {
    await reading(() => requireOwner(owner));
    await (options.discard === true
      ? discard(owner, projection, global, terminal)
      : run(owner, projection, global, terminal));
  } finally {
    await owner.end();
  }
}

async function run(owner: pg.Pool, projection: string, global: GlobalOptions, terminal: Terminal): Promise<void> {
  leavesBehind(terminal, 'The live projection is as it was. The same command goes on where this one ended.');
  const startedMs = performance.now();
  const progress = await startProgress(terminal, global, {
    unit: 'facts',
    total: global.json === true ? undefined : await reading(() => countFacts(owner)),
  });
  let report: RebuildReport;
  try {
    report = await reading(() =>
      refusing(rebuildUsageAudit(owner, { onProgress: ({ facts }) => progress.report(facts) })),
    );
  } finally {
    progress.end();
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  if (global.json === true) {
    terminal.out(JSON.stringify({ projection, ...report, seconds: Number(seconds.toFixed(3)) }));
    return;
  }
  terminal.out(
    `${projection} is at version ${report.version}, built of ${report.facts} facts in ${seconds.toFixed(1)} s`,
  );
  if (report.resumed) terminal.out('It went on where an earlier run was cut off.');
  if (report.kept > 0)
    terminal.out(`${report.kept} row(s) have no fact that explains them; they were kept as they are.`);
}

async function discard(owner: pg.Pool, projection: string, global: GlobalOptions, terminal: Terminal): Promise<void> {
  const discarded = await reading(() => refusing(discardRebuild(owner)));
  if (global.json === true) terminal.out(JSON.stringify({ projection, discarded }));
  else terminal.out(discarded ? 'The rebuild was given up.' : 'There was no rebuild to give up.');
}

async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RebuildRunningError) throw new CommandError(exitCodes.failed, error.message);
    throw error;
  }
}

/** Tables that another role made would be closed to the services. */
async function requireOwner(owner: pg.Pool): Promise<void> {
  const { rows } = await owner.query<{ owner: string; owns: boolean }>(
    `SELECT relowner::regrole::text AS owner, relowner::regrole::text = quote_ident(current_user) AS owns
       FROM pg_class WHERE oid = 'usage_events'::regclass`,
  );
  const [row] = rows;
  if (row?.owns === true) return;
  throw new CommandError(
    exitCodes.usage,
    `a rebuild makes tables, so it runs under their owner, ${row?.owner ?? 'the owner role'}`,
    [`Set ${OWNER_URL} as the migrate command has it.`],
  );
}

async function ownerUrl({ dataDir }: RebuildCommandOptions, { env }: Terminal): Promise<string> {
  if (dataDir !== undefined) {
    try {
      return (await runningDatabases(dataDir)).ownerUrl('billing');
    } catch (error) {
      throw new CommandError(exitCodes.unreachable, error instanceof Error ? error.message : String(error));
    }
  }
  const url = env[OWNER_URL] ?? '';
  if (/^postgres(ql)?:\/\//.test(url)) return url;
  throw new CommandError(exitCodes.usage, `not set, or not a PostgreSQL URL: ${OWNER_URL}`, [
    'Set it as the migrate command of billing has it,',
    'or give --data-dir, the DATA_DIR of a running standalone instance (./data by default).',
  ]);
}
