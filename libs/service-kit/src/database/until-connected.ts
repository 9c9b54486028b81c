import { backoffMs, classifyError, isTlsError } from '@capability-router/event-bus';
import type { Logger } from 'pino';
import { delay } from '../util/timing.js';
import { SchemaMismatch } from './known-schema.js';
import { WrongPasswordFile } from './password-file.js';

/** Milliseconds for which a start waits for its database: half of what `deploy/` gives a container to begin. */
const PATIENCE_MS = 60_000;
const MAX_PAUSE_MS = 1_000;
/** The name is wrong; a name server that is away says `EAI_AGAIN`. */
const UNKNOWN_HOST = 'ENOTFOUND';
/** `sslrootcert`, `sslcert` or `sslkey` names it. */
const NO_FILE = 'ENOENT';
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
  if (wrongDatabaseUrl(error) !== undefined) return false;
  return notInTime.test(error.message) || classifyError(error) === 'transient';
}

/** Codes of PostgreSQL, which says what it is in a sentence that names the role or the database: what the URL says is not so. */
const refusals: ReadonlySet<unknown> = new Set(['28000', '28P01', '3D000']);

/** How node-postgres says so; there is no code. */
const withoutTls = /server does not support SSL/;

/** The fault of a database's URL, to be named with the variable that holds it; undefined where it is something else. */
export function wrongDatabaseUrl(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (withoutTls.test(error.message)) return 'asks for TLS by sslmode, and the server has none: correct either';
  if (error instanceof WrongPasswordFile) return error.message;
  if (error instanceof SchemaMismatch) return `leads to a schema of another build: ${error.message}`;
  if (!('code' in error)) return undefined;
  if (isTlsError(error)) {
    return `comes to no TLS with the server (${error.message}): name the CA that signed its certificate by sslrootcert, or renew it`;
  }
  if (error.code === NO_FILE) return `names a file that cannot be read: ${error.message}`;
  if (refusals.has(error.code)) return `is refused by the server: ${error.message}`;
  return error.code === UNKNOWN_HOST ? `names a host that nobody knows: ${error.message}` : undefined;
}
