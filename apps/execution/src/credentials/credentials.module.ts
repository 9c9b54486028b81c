import { CLOCK, CONFIG, LOGGER, POOL } from '@capability-router/service-kit';
import type { Clock } from '@capability-router/kernel';
import { Module } from '@nestjs/common';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ExecutionConfig } from '../config.js';
import { ToolCopiesModule } from '../tool-copies/tool-copies.module.js';
import { ToolDirectory } from '../tool-copies/tool-directory.js';
import { AccountCredentialsController } from './account-credentials.controller.js';
import { AdminCredentialsController } from './admin-credentials.controller.js';
import { CredentialStore } from './credential-store.js';
import { CREDENTIALS, type CredentialsContext } from './credentials-context.js';

@Module({
  imports: [ToolCopiesModule],
  controllers: [AccountCredentialsController, AdminCredentialsController],
  providers: [
    {
      provide: CredentialStore,
      inject: [POOL, CLOCK, CONFIG],
      useFactory: (pool: pg.Pool, clock: Clock, config: ExecutionConfig) =>
        new CredentialStore(pool, clock, config.credentialKeys),
    },
    {
      provide: CREDENTIALS,
      inject: [POOL, CLOCK, LOGGER, CredentialStore, ToolDirectory],
      useFactory: (
        pool: pg.Pool,
        clock: Clock,
        logger: Logger,
        store: CredentialStore,
        tools: ToolDirectory,
      ): CredentialsContext => ({ pool, clock, logger, store, tools }),
    },
  ],
  exports: [CredentialStore],
})
export class CredentialsModule {}
