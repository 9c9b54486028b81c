import { uuidv7, type Clock } from '@capability-router/kernel';
import type { ExecutionFacts, ExecutionStarted } from '@capability-router/contracts';
import type { HoldReleases } from '@capability-router/service-kit';
import type pg from 'pg';
import { holdThatMayBe, interruptedEnd } from '../call/journal/ends.js';
import type { ExecutionJournal } from '../call/journal/execution-journal.js';

/** Executions that one sweep interrupts; the next sweep goes on. */
const MAX_INTERRUPTED_PER_SWEEP = 500;
/** Owners lapsed for longer than this have nothing left to interrupt. */
const FORGET_OWNERS_AFTER = '1 hour';

/** Each start is looked up by itself: joined, a plan made while the table was empty would read the whole of it. */
const lapsedSql = `
SELECT started.data
  FROM running_executions running
  CROSS JOIN LATERAL (
    SELECT data FROM events WHERE stream_id = running.execution_id AND sequence = 1 LIMIT 1
  ) AS started
  LEFT JOIN execution_owners owner ON owner.owner_id = running.owner_id
 WHERE coalesce(owner.lease_until, '-infinity') <= clock_timestamp() OR running.give_up_at <= clock_timestamp()
 ORDER BY running.give_up_at LIMIT ${MAX_INTERRUPTED_PER_SWEEP}`;

const forgetOwnersSql = `
DELETE FROM execution_owners WHERE lease_until < clock_timestamp() - interval '${FORGET_OWNERS_AFTER}'`;

export interface InterruptPorts {
  readonly pool: pg.Pool;
  readonly journal: ExecutionJournal;
  readonly holdReleases: Pick<HoldReleases, 'forestall'>;
  readonly clock: Clock;
}

/**
 * Ends every execution whose owner's lease has lapsed or that is past its deadline and the grace. Replicas may sweep at
 * once: the expected version lets one end win, and who wrote it gives back what was held, or may come to be, since the
 * owner may have died while it asked for it. Returns how many this sweep ended.
 */
export async function interruptLapsed({ pool, journal, holdReleases, clock }: InterruptPorts): Promise<number> {
  const { rows } = await pool.query<{ data: ExecutionStarted }>(lapsedSql);
  const givenBack: Promise<void>[] = [];
  let interrupted = 0;
  for (const { data } of rows) {
    const { startedAt, deadlineAt: _deadlineAt, ...facts }: ExecutionStarted = data;
    const nowMs = clock.nowMs();
    const end = interruptedEnd(facts satisfies ExecutionFacts, Date.parse(startedAt), nowMs);
    if (!(await journal.end(end, uuidv7(nowMs)))) continue;
    interrupted += 1;
    const hold = holdThatMayBe(facts);
    if (hold !== undefined) givenBack.push(holdReleases.forestall(hold));
  }
  await Promise.all(givenBack);
  await pool.query(forgetOwnersSql);
  return interrupted;
}
