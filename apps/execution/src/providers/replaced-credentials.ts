import { LOGGER, POOL } from '@capability-router/service-kit';
import type { Tail } from '@capability-router/event-bus';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { Logger } from 'pino';
import { CredentialStore } from '../credentials/credential-store.js';
import { followCredentials } from '../credentials/follow-credentials.js';
import { ToolProviders } from './tool-providers.js';

/** Drops what this replica got with credentials that were replaced or deleted, here or elsewhere. */
@Injectable()
export class ReplacedCredentials implements BeforeApplicationShutdown {
  private tail: Tail | undefined;

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CredentialStore) private readonly store: CredentialStore,
    @Inject(ToolProviders) private readonly providers: ToolProviders,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    const forget = (revision: string): void => this.providers.forgetCredential(revision);
    this.tail = await followCredentials(this.pool, this.store, forget, this.logger);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.tail?.stop();
  }
}
