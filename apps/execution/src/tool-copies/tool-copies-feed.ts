import { LOGGER, POOL } from '@capability-router/service-kit';
import type { Tail } from '@capability-router/event-bus';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { Logger } from 'pino';
import { followToolCopies } from './follow-tool-copies.js';
import { ToolDirectory } from './tool-directory.js';

/** Keeps the directory of this replica filled while the service runs. */
@Injectable()
export class ToolCopiesFeed implements BeforeApplicationShutdown {
  private tail: Tail | undefined;

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(ToolDirectory) private readonly directory: ToolDirectory,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Resolves when every copy is loaded. */
  async start(): Promise<void> {
    this.tail = await followToolCopies(this.pool, this.directory, this.logger);
  }

  caughtUp(): boolean {
    return this.tail?.caughtUp() === true;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.tail?.stop();
  }
}
