import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, isLockTimeout } from '@capability-router/service-kit';
import type pg from 'pg';
import { USAGE_AUDIT_VERSION } from '../domain/usage-row.js';
import {
  analyzeBeside,
  BATCH_CHANGES,
  changesLeft,
  commitBeforeTheDisk,
  countKept,
  limitLockWaits,
  lockLive,
  savePlace,
  takeChanges,
  tryLockRebuild,
  unexplainedIds,
  unlockRebuild,
} from './rebuild-progress.sql.js';
import { projectFacts, type FactRow } from './rebuild-rows.js';
import { copyRows, readFacts, readLiveRows, writeRows } from './rebuild-rows.sql.js';
import {
  createBeside,
  discardBeside,
  dropReplaced,
  followPartitions,
  readRebuild,
  switchTables,
  type RebuildState,
} from './rebuild-tables.sql.js';

/** Facts of one transaction, which takes a fraction of a second. */
const BATCH_FACTS = 2_000;
/** Batches that are written at a time. */
const WRITERS = 3;
/** Changes that may be left for the time in which the live table is locked: a fraction of a second's work. */
const MAX_CHANGES_UNDER_LOCK = 1_000;
/**
 * Milliseconds a statement waits for a lock on the live table; traffic waits behind it for as long. More than the second
 * (`deadlock_timeout`) after which PostgreSQL ends a vacuum of its own that stands in the way.
 */
const LOCK_TIMEOUT_MS = 1_500;
const LOCK_TRIES = 60;
const LOCK_PAUSE_MS = 500;

export interface RebuildProgress {
  /** Facts that were projected, also by earlier runs. */
  readonly facts: number;
}

export interface RebuildOptions {
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Ends the run after a batch; the next one goes on there. */
  readonly signal?: AbortSignal;
  /** Called when everything but the switch is done. */
  readonly beforeSwitch?: () => Promise<void>;
  /** Facts of one transaction; 2,000 where absent. */
  readonly batchFacts?: number;
}

export interface RebuildReport {
  readonly version: number;
  /** Whether it went on where an earlier run ended. */
  readonly resumed: boolean;
  readonly facts: number;
  /** Rows that no fact explains: taken over as they are, never lost. */
  readonly kept: number;
}

export class RebuildRunningError extends Error {}

/**
 * Builds the usage audit anew from the facts, beside the live table and while that goes on being written, and switches to
 * it. Transactions are short; what is done is kept, so that a run that was ended is resumed by the next. Ids, and
 * the numbers in which cursors stand, come from the facts and stay what they were.
 * @param owner connections of the role that owns the tables
 * @throws RebuildRunningError where another process rebuilds
 */
export function rebuildUsageAudit(owner: pg.Pool, options: RebuildOptions = {}): Promise<RebuildReport> {
  return alone(owner, async () => {
    const { state, resumed } = await begin(owner);
    await copyFacts(owner, state, options);
    await catchUp(owner, options);
    await adoptUnexplained(owner);
    // Nobody would plan well over a table of which nothing is known yet.
    await analyzeBeside(owner);
    await options.beforeSwitch?.();
    const done = await switchOver(owner, options);
    return { version: USAGE_AUDIT_VERSION, resumed, facts: done.facts, kept: done.kept };
  });
}

/** Gives up a rebuild that was begun. @returns whether there was one */
export function discardRebuild(owner: pg.Pool): Promise<boolean> {
  return alone(owner, async () => {
    const state = await readRebuild(owner);
    await locking(owner, discardBeside);
    return state !== undefined;
  });
}

async function alone<T>(owner: pg.Pool, work: () => Promise<T>): Promise<T> {
  const session = await owner.connect();
  try {
    if (!(await tryLockRebuild(session))) throw new RebuildRunningError('another process rebuilds the usage audit');
    return await work();
  } finally {
    await unlockRebuild(session).catch(() => undefined);
    // A lock that is still held ends with its session.
    session.release(true);
  }
}

/** A rebuild that another build began, to another version, is begun anew. */
async function begin(owner: pg.Pool): Promise<{ readonly state: RebuildState; readonly resumed: boolean }> {
  await locking(owner, dropReplaced);
  const before = await readRebuild(owner);
  if (before?.version === USAGE_AUDIT_VERSION) return { state: before, resumed: true };
  if (before !== undefined) await locking(owner, discardBeside);
  await locking(owner, createBeside);
  const state = await readRebuild(owner);
  if (state === undefined) throw new Error('the rebuild did not begin');
  return { state, resumed: false };
}

/**
 * Every fact, in the order of ids. What is written behind the place that was reached, the log of changes tells. Batches
 * are written a few at a time; the place that is kept is behind all that are written, and a batch may be written twice.
 */
async function copyFacts(owner: pg.Pool, state: RebuildState, options: RebuildOptions): Promise<void> {
  const { onProgress, signal, batchFacts = BATCH_FACTS } = options;
  const writing: { readonly facts: number; readonly last: string; readonly done: Promise<void> }[] = [];
  let done = state.facts;
  const settleFirst = async (): Promise<void> => {
    const first = writing.shift();
    if (first === undefined) return;
    await first.done;
    await unhurried(owner, (tx) => savePlace(tx, first.last, first.facts));
    done += first.facts;
    onProgress?.({ facts: done });
  };
  try {
    let reading = readFacts(owner, state.afterEvent, batchFacts);
    for (;;) {
      signal?.throwIfAborted();
      const facts = await reading;
      const last = facts.at(-1);
      if (last === undefined) break;
      reading = readFacts(owner, last.event_id, batchFacts);
      unattended(reading);
      const rows = projectFacts(facts);
      const written = unhurried(owner, (tx) => writeRows(tx, rows));
      unattended(written);
      writing.push({ facts: facts.length, last: last.event_id, done: written });
      if (writing.length >= WRITERS) await settleFirst();
    }
    while (writing.length > 0) await settleFirst();
  } finally {
    await Promise.allSettled(writing.map((batch) => batch.done));
  }
}

/**
 * A transaction that does not wait for the disk. After a crash the last few may be missing, a place never without what is
 * before it, because both are in one log; the switch waits, and with it for all of them.
 */
function unhurried(owner: pg.Pool, work: (tx: pg.PoolClient) => Promise<unknown>): Promise<void> {
  return inTransaction(owner, async (tx) => {
    await commitBeforeTheDisk(tx);
    await work(tx);
  });
}

/** Whoever awaits it later is told; after a fault in between nobody does. */
function unattended(work: Promise<unknown>): void {
  work.catch(() => undefined);
}

/** @returns changes that were taken from the log */
async function applyChanges(tx: pg.PoolClient): Promise<number> {
  const ids = await takeChanges(tx);
  await projectAgain(tx, [...new Set(ids)]);
  return ids.length;
}

/** Rows from their facts as they are now. */
async function projectAgain(tx: pg.PoolClient, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const live = await readLiveRows(tx, ids);
  const facts = live.flatMap((row): FactRow[] => (row.event_id === null ? [] : [{ ...row, event_id: row.event_id }]));
  await writeRows(tx, projectFacts(facts));
  const without = live.filter((row) => row.event_id === null);
  await copyRows(
    tx,
    without.map((row) => row.id),
  );
  const kept = without.filter((row) => row.recorded).length;
  if (kept > 0) await countKept(tx, kept);
}

async function catchUp(owner: pg.Pool, { signal }: RebuildOptions): Promise<void> {
  do signal?.throwIfAborted();
  while ((await inTransaction(owner, applyChanges)) === BATCH_CHANGES);
}

/** Rows whose fact has not come yet, and rows that no fact explains. Read outside of a transaction that writes. */
async function adoptUnexplained(owner: pg.Pool): Promise<void> {
  const unexplained = await unexplainedIds(owner);
  for (let start = 0; start < unexplained.length; start += BATCH_CHANGES) {
    const ids = unexplained.slice(start, start + BATCH_CHANGES);
    await inTransaction(owner, (tx) => projectAgain(tx, ids));
  }
}

/** Locks the live table for as long as the last changes take. */
async function switchOver(owner: pg.Pool, options: RebuildOptions): Promise<RebuildState> {
  for (;;) {
    while ((await followPartitions(owner)).rows[0]?.added === true);
    await catchUp(owner, options);
    const done = await locking(owner, async (tx) => {
      await lockLive(tx);
      if ((await changesLeft(tx, MAX_CHANGES_UNDER_LOCK + 1)) > MAX_CHANGES_UNDER_LOCK) return undefined;
      while ((await applyChanges(tx)) > 0);
      const state = await readRebuild(tx);
      await switchTables(tx);
      return state;
    });
    if (done === undefined) continue;
    await locking(owner, dropReplaced);
    return done;
  }
}

/** A transaction that does not wait long for locks, again and again until it gets them. */
async function locking<T>(owner: pg.Pool, work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(owner, async (tx) => {
        await limitLockWaits(tx, LOCK_TIMEOUT_MS);
        return work(tx);
      });
    } catch (error) {
      if (!isLockTimeout(error) || tries >= LOCK_TRIES) throw error;
      await sleep(LOCK_PAUSE_MS);
    }
  }
}
