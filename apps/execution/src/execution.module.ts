import type { Clock } from '@capability-router/kernel';
import { HoldReleases } from '@capability-router/service-kit';
import { Module, type DynamicModule } from '@nestjs/common';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ExecutionConfig } from './config.js';
import { AccountCredentialsController } from './credentials/account-credentials.controller.js';
import { AdminCredentialsController } from './credentials/admin-credentials.controller.js';
import { CREDENTIALS, type CredentialsContext } from './credentials/credentials-context.js';
import { ErasureTask } from './erasure/erasure.task.js';
import { ErasuresConsumer } from './erasure/erasures.consumer.js';
import { ExecuteController } from './execute/execute.controller.js';
import type { ExecutionJournal } from './call/journal/execution-journal.js';
import type { ExecuteOncePerKey } from './idempotency/execute-once-per-key.js';
import { SweepKeysTask } from './idempotency/sweep-keys.task.js';
import { EndStatesController } from './lifecycle/end-states.controller.js';
import { InterruptLapsedTask } from './lifecycle/interrupt-lapsed.task.js';
import { LookUpController } from './look-up/look-up.controller.js';
import type { LookUpExecution } from './look-up/look-up-execution.js';
import { PayloadsController } from './payloads/payloads.controller.js';
import { SweepPayloadsTask } from './payloads/sweep-payloads.task.js';
import { BREAKERS, BreakersController, type BreakersContext } from './providers/breakers.controller.js';
import { ResultsController } from './result-shaping/serving/results.controller.js';
import type { KeptResults } from './result-shaping/store/kept-results.js';
import { SweepResultsTask } from './result-shaping/store/sweep-results.task.js';
import type { OutcomeReviser } from './revisions/revise-outcome.js';
import { RevisionsController } from './revisions/revisions.controller.js';
import { ToolCopiesConsumer } from './tool-copies/tool-copies.consumer.js';
import {
  EXECUTE_TOOL,
  EXECUTION_CLOCK,
  EXECUTION_CONFIG,
  EXECUTION_JOURNAL,
  EXECUTION_LOGGER,
  EXECUTION_LOOK_UP,
  EXECUTION_POOL,
  KEPT_RESULTS,
  OUTCOME_REVISER,
  RESULT_LINK_KEY,
} from './tokens.js';

@Module({})
class ExecutionModule {}

export function executionModule(parts: {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: ExecutionConfig;
  readonly journal: ExecutionJournal;
  readonly holdReleases: HoldReleases;
  readonly executeTool: ExecuteOncePerKey;
  readonly lookUp: LookUpExecution;
  readonly keptResults: KeptResults;
  readonly resultLinkKey: Buffer;
  readonly credentials: CredentialsContext;
  readonly breakers: BreakersContext;
  readonly outcomeReviser: OutcomeReviser;
}): DynamicModule {
  return {
    module: ExecutionModule,
    controllers: [
      ExecuteController,
      LookUpController,
      ResultsController,
      EndStatesController,
      PayloadsController,
      AccountCredentialsController,
      AdminCredentialsController,
      BreakersController,
      RevisionsController,
      ToolCopiesConsumer,
      ErasuresConsumer,
    ],
    providers: [
      InterruptLapsedTask,
      SweepResultsTask,
      ErasureTask,
      SweepKeysTask,
      SweepPayloadsTask,
      { provide: EXECUTION_POOL, useValue: parts.pool },
      { provide: EXECUTION_CLOCK, useValue: parts.clock },
      { provide: EXECUTION_LOGGER, useValue: parts.logger },
      { provide: EXECUTION_CONFIG, useValue: parts.config },
      { provide: EXECUTION_JOURNAL, useValue: parts.journal },
      { provide: HoldReleases, useValue: parts.holdReleases },
      { provide: EXECUTE_TOOL, useValue: parts.executeTool },
      { provide: EXECUTION_LOOK_UP, useValue: parts.lookUp },
      { provide: KEPT_RESULTS, useValue: parts.keptResults },
      { provide: CREDENTIALS, useValue: parts.credentials },
      { provide: BREAKERS, useValue: parts.breakers },
      { provide: OUTCOME_REVISER, useValue: parts.outcomeReviser },
      { provide: RESULT_LINK_KEY, useValue: parts.resultLinkKey },
    ],
  };
}
