import { LOGGER, Periodic } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { KeptResults } from './kept-results.js';

const INTERVAL_MS = 60_000;

@Injectable()
export class SweepResultsTask {
  constructor(
    @Inject(KeptResults) private readonly keptResults: KeptResults,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** At the start too: for what the process before has left, and so that a store that is not there is in the log at once. */
  @Periodic({ name: 'sweep of results', everyMs: INTERVAL_MS, atStart: true })
  async sweep(): Promise<void> {
    const { evicted, inaccessible = [] } = await this.keptResults.sweep();
    if (evicted > 0) this.logger.warn({ evicted }, 'the result store is full: results were removed early');
    const [first] = inaccessible;
    if (first === undefined) return;
    const more = { object: first.object, objects: inaccessible.length };
    this.logger.warn(
      { err: first.cause, ...more },
      'some of the result store is not accessible: the sweep went on without it',
    );
  }
}
