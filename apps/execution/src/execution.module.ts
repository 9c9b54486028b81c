import type { Clock } from '@capability-router/kernel';
import { Module, type DynamicModule } from '@nestjs/common';
import type pg from 'pg';
import { ExecuteController } from './execute/execute.controller.js';
import type { ExecuteTool } from './execute/execute-tool.js';
import type { ExecutionJournal } from './execute/execution-journal.js';
import { EndStatesController } from './lifecycle/end-states.controller.js';
import { PayloadsController } from './payloads/payloads.controller.js';
import { ResultsController } from './result-shaping/results.controller.js';
import type { ResultStore } from './result-shaping/result-store.js';
import {
  EXECUTE_TOOL,
  EXECUTION_CLOCK,
  EXECUTION_JOURNAL,
  EXECUTION_POOL,
  RESULT_LINK_KEY,
  RESULT_STORE,
} from './tokens.js';

@Module({})
class ExecutionModule {}

export function executionModule(parts: {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly journal: ExecutionJournal;
  readonly executeTool: ExecuteTool;
  readonly resultStore: ResultStore;
  readonly resultLinkKey: Buffer;
}): DynamicModule {
  return {
    module: ExecutionModule,
    controllers: [ExecuteController, ResultsController, EndStatesController, PayloadsController],
    providers: [
      { provide: EXECUTION_POOL, useValue: parts.pool },
      { provide: EXECUTION_CLOCK, useValue: parts.clock },
      { provide: EXECUTION_JOURNAL, useValue: parts.journal },
      { provide: EXECUTE_TOOL, useValue: parts.executeTool },
      { provide: RESULT_STORE, useValue: parts.resultStore },
      { provide: RESULT_LINK_KEY, useValue: parts.resultLinkKey },
    ],
  };
}
