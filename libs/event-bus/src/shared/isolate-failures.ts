import type pg from 'pg';
import { classifyError, PermanentError } from './errors.js';
import type { PositionedEvent } from './positioned-event.js';
import { inSavepoint } from './savepoint.js';

/** The first event of a key that cannot be handled, and those of the key behind it. */
export interface KeyFailure {
  readonly events: readonly PositionedEvent[];
  readonly error: unknown;
}

type HandleEvents = (events: readonly PositionedEvent[]) => Promise<void>;

/**
 * Halves the batch by key until the bad keys stand alone; everything else is handled, in order per key, within `tx`.
 * Transient errors are thrown.
 */
export async function isolateFailures(
  tx: pg.PoolClient,
  events: readonly PositionedEvent[],
  handle: HandleEvents,
): Promise<KeyFailure[]> {
  if (events.length === 0) return [];
  const error = await attempt(tx, events, handle);
  if (error === undefined) return [];
  const keys = [...new Set(events.map(({ event }) => event.partitionKey))];
  if (keys.length === 1) return isolateInKey(tx, events, handle, error);
  const firstHalf = new Set(keys.slice(0, keys.length / 2));
  const left = events.filter(({ event }) => firstHalf.has(event.partitionKey));
  const right = events.filter(({ event }) => !firstHalf.has(event.partitionKey));
  return [...(await isolateFailures(tx, left, handle)), ...(await isolateFailures(tx, right, handle))];
}

async function isolateInKey(
  tx: pg.PoolClient,
  events: readonly PositionedEvent[],
  handle: HandleEvents,
  error: unknown,
): Promise<KeyFailure[]> {
  if (events.length === 1) return [{ events, error }];
  for (const [index, event] of events.entries()) {
    const failure = await attempt(tx, [event], handle);
    if (failure !== undefined) return [{ events: events.slice(index), error: failure }];
  }
  return [];
}

async function attempt(tx: pg.PoolClient, events: readonly PositionedEvent[], handle: HandleEvents): Promise<unknown> {
  try {
    const malformed = events.find((event) => event.malformed !== undefined);
    if (malformed?.malformed !== undefined) throw new PermanentError(malformed.malformed);
    await inSavepoint(tx, () => handle(events));
    return undefined;
  } catch (error) {
    if (classifyError(error) === 'transient') throw error;
    return error ?? new Error('the handler threw nothing');
  }
}
