import { createHash } from 'node:crypto';
import { AppError, canonicalJson, type AccountId, type Clock, type JsonObject } from '@capability-router/kernel';
import { inTransaction, isBrokenOff } from '@capability-router/service-kit';
import type pg from 'pg';
import { claimCommand, findCommand, keepAnswer } from './claimed-commands.js';
import { isOvertaken } from '../ledger/posting/overtaken.js';

/** A command of an administrator that moves money or settles what is open. */
export interface AdminCommand {
  /** The name of the command, e.g. `grant`. */
  readonly kind: string;
  readonly accountId: AccountId;
  readonly idempotencyKey: string;
  /** Everything that the outcome depends on, and the note. Repeating the key with other inputs is refused. */
  readonly input: JsonObject;
  /** For people; erased with the account. */
  readonly note?: string | undefined;
  /** The API key, or the account, that commands it. */
  readonly commandedBy: string;
}

export interface AdminAnswer {
  readonly answer: JsonObject;
  /** The first answer again: nothing was done now. */
  readonly replayed: boolean;
}

/** Tries, where holds of the account come between. */
const MAX_TRIES = 5;
const RETRY_AFTER_SECONDS = 1;

/**
 * Runs `work` once per key, in one transaction with the record of the command: its answer is kept beside a hash of its
 * inputs. The same key and inputs get the same answer; other inputs are a 409. A command that is refused leaves nothing
 * behind, its key included. After the balances, which `work` touches last, comes only the answer.
 */
export async function runAdminCommand(
  pool: pg.Pool,
  command: AdminCommand,
  clock: Clock,
  work: (tx: pg.PoolClient) => Promise<JsonObject>,
): Promise<AdminAnswer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(pool, (tx) => attempt(tx, command, clock, work));
    } catch (error) {
      if (!isOvertaken(error) && !isBrokenOff(error)) throw error;
      if (tries < MAX_TRIES) continue;
      throw new AppError('service_unavailable', 'Calls of this account keep coming between. Nothing was done; retry.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: error,
      });
    }
  }
}

async function attempt(
  tx: pg.PoolClient,
  command: AdminCommand,
  clock: Clock,
  work: (tx: pg.PoolClient) => Promise<JsonObject>,
): Promise<AdminAnswer> {
  const { idempotencyKey: key, kind, accountId, commandedBy, note } = command;
  const hash = hashOf(command);
  const claimed = {
    idempotencyKey: key,
    kind,
    accountId,
    inputHash: hash,
    commandedBy,
    note: note ?? null,
    createdAt: new Date(clock.nowMs()),
  };
  // A twin waits here for the first one's commit.
  if (!(await claimCommand(tx, claimed))) return replay(tx, key, hash);
  const answer = await work(tx);
  await keepAnswer(tx, key, answer);
  return { answer, replayed: false };
}

async function replay(tx: pg.PoolClient, key: string, hash: string): Promise<AdminAnswer> {
  const found = await findCommand(tx, key);
  if (found === undefined || found.answer === null) throw new Error('a command without its answer was committed');
  if (found.inputHash !== hash) {
    throw new AppError(
      'conflict',
      'This Idempotency-Key was used for another command. Use a new key for a new command.',
    );
  }
  return { answer: found.answer, replayed: true };
}

function hashOf({ kind, accountId, input }: AdminCommand): string {
  return createHash('sha256').update(canonicalJson({ kind, accountId, input }), 'utf8').digest('hex');
}
