import { backoffMs, classifyError } from '@capability-router/event-bus';
import type { Logger } from 'pino';
import { delay } from '../util/timing.js';

/** Milliseconds for which a start waits for its database: half of what `deploy/` gives a container to begin. */
const PATIENCE_MS = 60_000;
const MAX_PAUSE_MS = 1_000;
/** The name is wrong; a name server that is away says `EAI_AGAIN`. */
const UNKNOWN_HOST = 'ENOTFOUND';
/** How node-postgres says that a client of its own was not connected in time. */
const notInTime = /^timeout expired$/;

export interface Patience {
  readonly logger: Pick<Logger, 'warn'>;
  /** Milliseconds; a minute where absent. */
  readonly patienceMs?: number;
}

/** Whoever logs is patient. */
export const patienceOf = ({ logger }: Partial<Patience>): Patience | undefined =>
  logger === undefined ? undefined : { logger };

/**
 * The result of `connect`, which is tried again with growing pauses while the database cannot be reached: it starts as well, has no
 * connection left, or the machine is so busy that none is made in time. What waiting does not mend rejects at once, as does
 * the last failure when the time is up, and the first where there is no patience.
 */
export async function untilConnected<T>(connect: () => Promise<T>, patience: Patience | undefined): Promise<T> {
  if (patience === undefined) return connect();
  const { logger, patienceMs = PATIENCE_MS } = patience;
  const untilMs = performance.now() + patienceMs;
  for (let failures = 1; ; failures += 1) {
    try {
      return await connect();
    } catch (error) {
      const pauseMs = Math.min(backoffMs(failures), MAX_PAUSE_MS);
      if (!isOutOfReach(error) || performance.now() + pauseMs > untilMs) throw error;
      if (failures === 1)
        logger.warn({ err: error, patienceMs }, 'the database cannot be reached yet, and is tried again');
      await delay(pauseMs);
    }
  }
}

function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && error.code === UNKNOWN_HOST) return false;
  return notInTime.test(error.message) || classifyError(error) === 'transient';
}

/** Codes of PostgreSQL, which says what it is in a sentence that names the role or the database: what the URL says is not so. */
const refusals: ReadonlySet<unknown> = new Set(['28000', '28P01', '3D000']);

/** The fault of a database's URL, to be named with the variable that holds it; undefined where it is something else. */
export function wrongDatabaseUrl(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  if (refusals.has(error.code)) return `is refused by the server: ${error.message}`;
  return error.code === UNKNOWN_HOST ? `names a host that nobody knows: ${error.message}` : undefined;
}
