import {
  AppError,
  creditsToNumber,
  creditsFromMicro,
  toIso,
  type Clock,
  type JsonObject,
} from '@capability-router/kernel';
import type pg from 'pg';
import { refundCharge } from '../refunds/refund-charge.js';
import { amountToWriteOff } from './domain/uncollected.js';
import {
  closeExceptions,
  findException,
  lockOpenException,
  type ExceptionRow,
  type NewAction,
} from './exceptions.sql.js';

export type Resolution = 'refund' | 'confirm' | 'write_off';

export interface ResolveException {
  readonly exceptionId: string;
  readonly resolution: Resolution;
  readonly reference: string | undefined;
  readonly commandedBy: string;
  readonly idempotencyKey: string;
}

/** Throws `not_found`. */
export async function requireException(db: pg.Pool | pg.PoolClient, exceptionId: string): Promise<ExceptionRow> {
  const found = await findException(db, exceptionId);
  if (found === undefined) throw new AppError('not_found', `There is no exception ${exceptionId}.`);
  return found;
}

/**
 * Closes an open exception in the caller's transaction: by a refund of all that is left of its charge, by confirming what
 * was recorded, or by giving up what was not collected. Throws `conflict` where it is closed, or cannot be closed so;
 * then nothing was written.
 */
export async function resolveException(
  tx: pg.PoolClient,
  command: ResolveException,
  clock: Clock,
): Promise<JsonObject> {
  await lockOpenException(tx, command.exceptionId);
  const nowMs = clock.nowMs();
  const found = await requireException(tx, command.exceptionId);
  if (command.resolution === 'refund') return refund(tx, command, found, nowMs, clock);
  if (command.resolution === 'confirm') {
    await close(tx, found, { ...actionOf(command, nowMs), action: 'confirmed', amountMicro: null });
    return { ...answerOf(found), state: 'confirmed', closed_at: toIso(nowMs) };
  }
  const amount = amountToWriteOff(found);
  await close(tx, found, { ...actionOf(command, nowMs), action: 'written_off', amountMicro: amount });
  const written = creditsToNumber(creditsFromMicro(amount));
  return { ...answerOf(found), state: 'written_off', amount_credits: written, closed_at: toIso(nowMs) };
}

/** The queue is left first, because the refund touches the balances with its last statement. */
async function refund(
  tx: pg.PoolClient,
  command: ResolveException,
  found: ExceptionRow,
  nowMs: number,
  clock: Clock,
): Promise<JsonObject> {
  await close(tx, found, { ...actionOf(command, nowMs), action: 'refunded', amountMicro: null });
  const { account_id: accountId, execution_id: of } = found;
  const booked = await refundCharge(tx, { accountId, of, reference: command.reference }, clock);
  return { ...answerOf(found), state: 'refunded', closed_at: toIso(nowMs), refund: booked };
}

async function close(tx: pg.PoolClient, found: ExceptionRow, action: NewAction): Promise<void> {
  if ((await closeExceptions(tx, [found.exception_id], action)) === 1) return;
  // Whoever closed it meanwhile has committed: the statement waited for it.
  const { last_action: state } = await requireException(tx, found.exception_id);
  throw new AppError('conflict', `${found.exception_id} is closed: it was ${state?.replace('_', ' ') ?? 'closed'}.`);
}

const actionOf = (command: ResolveException, nowMs: number): Omit<NewAction, 'action' | 'amountMicro'> => ({
  reference: command.reference,
  actedBy: command.commandedBy,
  idempotencyKey: command.idempotencyKey,
  actedAt: toIso(nowMs),
});

const answerOf = (found: ExceptionRow): JsonObject => ({
  exception_id: found.exception_id,
  account_id: found.account_id,
  kind: found.kind,
});
