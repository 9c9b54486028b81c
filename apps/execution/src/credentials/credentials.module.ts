import type { Clock } from '@capability-router/kernel';
import { Module } from '@nestjs/common';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ExecutionConfig } from '../config.js';
import { ToolCopiesModule } from '../tool-copies/tool-copies.module.js';
import { ToolDirectory } from '../tool-copies/tool-directory.js';
import { EXECUTION_CLOCK, EXECUTION_CONFIG, EXECUTION_LOGGER, EXECUTION_POOL } from '../tokens.js';
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
      inject: [EXECUTION_POOL, EXECUTION_CLOCK, EXECUTION_CONFIG],
      useFactory: (pool: pg.Pool, clock: Clock, config: ExecutionConfig) =>
        new CredentialStore(pool, clock, config.credentialKeys),
    },
    {
      provide: CREDENTIALS,
      inject: [EXECUTION_POOL, EXECUTION_CLOCK, EXECUTION_LOGGER, CredentialStore, ToolDirectory],
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
