import type { EndStatesResponse } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { AllowCallers, CLOCK, POOL, requireValid } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, Matches, ValidateNested } from 'class-validator';
import type pg from 'pg';
import { ExecutionJournal } from '../call/journal/execution-journal.js';
import { endStatesOf, MAX_END_STATES } from './end-states.js';

class AskedExecution {
  @Matches(/^exec_[0-9a-f]{32}$/) executionId: string;
  @Matches(/^acc_[0-9a-f]{32}$/) accountId: string;
}

class EndStatesBody {
  @IsArray()
  @ArrayMaxSize(MAX_END_STATES)
  @ValidateNested({ each: true })
  @Type(() => AskedExecution)
  executions: AskedExecution[];
}

@Controller('internal')
export class EndStatesController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(ExecutionJournal) private readonly journal: ExecutionJournal,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post('executions::end-states')
  @HttpCode(200)
  @AllowCallers('billing')
  endStates(@Body() body: unknown): Promise<EndStatesResponse> {
    return endStatesOf(this.pool, this.journal, this.clock, requireValid(EndStatesBody, body));
  }
}
