import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectClient } from '@capability-router/service-kit';
import { newExecutionId, systemClock } from '@capability-router/kernel';
import { startExecution, type RunningExecution } from '../../test-support/running-execution.js';

/** Connections of the service, each of which a statement of a look-up occupies. */
const CONNECTIONS = 8;
/** Look-ups at once: more than there are connections, so that whatever else wants one waits behind them. */
const LOOK_UPS = 100;
/** Milliseconds; a third of it passes between two renewals. Nothing here depends on whether it lapses. */
const LEASE_MS = 6_000;
const RENEWALS = 2;
/** Milliseconds within which a machine that is busy renews so often: many times what it takes. */
const PATIENCE_MS = 60_000;

let execution: RunningExecution;
beforeAll(async () => {
  execution = await startExecution([], undefined, {}, undefined, { leaseMs: LEASE_MS });
}, 60_000);
afterAll(() => execution.stop());

interface Seen {
  readonly leaseUntil: string;
  /** The statements that wait for the table, by connection and time. */
  readonly waiting: readonly string[];
}

async function look(): Promise<Seen> {
  const { rows } = await execution.database.owner.query<Seen>(
    `SELECT lease_until::text AS "leaseUntil", ARRAY(
       SELECT format('%s since %s', pid, query_start) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' ORDER BY pid) AS waiting
       FROM execution_owners`,
  );
  const [seen, ...others] = rows;
  if (seen === undefined || others.length > 0) throw new Error('there is one owner');
  return seen;
}

/** In both, each connection of the service waits in the same statement: none was free meanwhile. */
const allOccupied = (before: Seen, now: Seen): boolean =>
  now.waiting.length === CONNECTIONS && now.waiting.join() === before.waiting.join();

it('a replica renews its lease while requests wait for every connection to its database', async () => {
  const locker = await connectClient({ connectionString: execution.database.ownerUrl });
  await locker.query('BEGIN');
  await locker.query('LOCK TABLE idempotent_answers IN ACCESS EXCLUSIVE MODE');
  const lookUps = new Set<Promise<unknown>>();
  const lookUp = (): void => {
    const path = `/api/v1/tools/executions/${newExecutionId(systemClock.nowMs())}`;
    const answered: Promise<unknown> = execution.read(path).finally(() => lookUps.delete(answered));
    lookUps.add(answered);
  };
  let renewals = 0;
  const giveUpAtMs = performance.now() + PATIENCE_MS;
  for (let before = await look(); renewals < RENEWALS && performance.now() < giveUpAtMs; await sleep(20)) {
    // Statements end when their time is up, and others take their connections.
    while (lookUps.size < LOOK_UPS) lookUp();
    const now = await look();
    if (now.leaseUntil !== before.leaseUntil && allOccupied(before, now)) renewals += 1;
    before = now;
  }
  await locker.query('ROLLBACK');
  await locker.end();
  await Promise.all(lookUps);
  expect(renewals).toBe(RENEWALS);
}, 120_000);
