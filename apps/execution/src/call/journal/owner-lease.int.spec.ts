import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectClient } from '@capability-router/service-kit';
import { newExecutionId, systemClock } from '@capability-router/kernel';
import { startExecution, type RunningExecution } from '../../test-support/running-execution.js';

/** Look-ups at once: more than the connections of the service answer before those that wait have waited too long. */
const LOOK_UPS = 100;
/** Milliseconds; shorter than a statement waits for a connection. */
const LEASE_MS = 3_000;

let execution: RunningExecution;
let replica: RunningExecution;
beforeAll(async () => {
  execution = await startExecution([]);
  replica = await execution.replica({ leaseMs: LEASE_MS });
}, 60_000);
afterAll(async () => {
  await replica.stop();
  await execution.stop();
});

it('a replica keeps its lease while requests wait for every connection to its database', async () => {
  const locker = await connectClient({ connectionString: execution.database.ownerUrl });
  await locker.query('BEGIN');
  await locker.query('LOCK TABLE idempotent_answers IN ACCESS EXCLUSIVE MODE');
  const details = new Set<unknown>();
  const look = setInterval(() => details.add(replica.service.ready().detail), 20);
  const lookUps = Array.from({ length: LOOK_UPS }, () =>
    replica.read(`/api/v1/tools/executions/${newExecutionId(systemClock.nowMs())}`),
  );
  const answered = await Promise.all(lookUps).finally(() => clearInterval(look));
  await locker.query('ROLLBACK');
  await locker.end();
  // Each waited in vain, for the table or for a connection.
  expect(new Set(answered.map(({ status }) => status >= 500))).toEqual(new Set([true]));
  expect([...details]).not.toContain('the execution lease is not held');
}, 60_000);
