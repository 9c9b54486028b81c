import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { RECORD_RETRY_DELAYS_MS } from '../domain/deadlines.js';
import type { ExecutionEnd, Payloads } from './domain/execution-end.js';
import type { ExecutionJournal } from './execution-journal.js';

/**
 * Appends the end of a started execution, again if the database fails for a moment: the tool may have run, and losing
 * its end would interrupt a call that succeeded. False if another end won. Throws the last error.
 */
export async function recordEnd(
  journal: ExecutionJournal,
  end: ExecutionEnd,
  eventId: string,
  payloads: Payloads | undefined,
  logger: Logger,
): Promise<boolean> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await journal.end(end, eventId, payloads);
    } catch (err) {
      const waitMs = RECORD_RETRY_DELAYS_MS[attempt];
      logger.error(
        { err, executionId: end.data.executionId, attempt },
        'the end of an execution could not be recorded',
      );
      if (waitMs === undefined) throw err;
      await delay(waitMs);
    }
  }
}
