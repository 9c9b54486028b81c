import { uuidv7, type Clock } from '@capability-router/kernel';
import type { ExecutionFacts } from '@capability-router/contracts';
import type { HoldReleases } from '@capability-router/service-kit';
import type pg from 'pg';
import { holdThatMayBe, interruptedEnd } from '../call/journal/domain/ends.js';
import type { ExecutionJournal } from '../call/journal/execution-journal.js';
import { findLapsed, forgetOwners } from './lapsed-executions.sql.js';

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
  const lapsed = await findLapsed(pool);
  const givenBack: Promise<void>[] = [];
  let interrupted = 0;
  for (const { startedAt, deadlineAt: _deadlineAt, ...facts } of lapsed) {
    const nowMs = clock.nowMs();
    const end = interruptedEnd(facts satisfies ExecutionFacts, Date.parse(startedAt), nowMs);
    if (!(await journal.end(end, uuidv7(nowMs)))) continue;
    interrupted += 1;
    const hold = holdThatMayBe(facts);
    if (hold !== undefined) givenBack.push(holdReleases.forestall(hold));
  }
  await Promise.all(givenBack);
  await forgetOwners(pool);
  return interrupted;
}
