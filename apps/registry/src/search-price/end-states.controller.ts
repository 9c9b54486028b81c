import type { EndStatesResponse } from '@capability-router/contracts';
import { AllowCallers, POOL, requireValid } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, Matches, ValidateNested } from 'class-validator';
import type pg from 'pg';
import { MAX_END_STATES, searchEndStates } from './end-states.js';

class AskedSearch {
  @Matches(/^srch_[0-9a-f]{32}$/) searchId: string;
  @Matches(/^acc_[0-9a-f]{32}$/) accountId: string;
}

class SearchEndStatesBody {
  @IsArray()
  @ArrayMaxSize(MAX_END_STATES)
  @ValidateNested({ each: true })
  @Type(() => AskedSearch)
  searches: AskedSearch[];
}

@Controller()
export class SearchEndStatesController {
  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  /** For the sweeper of holds. */
  // The router takes `::` for a literal colon.
  @Post('internal/searches::end-states')
  @HttpCode(200)
  @AllowCallers('billing')
  endStates(@Body() body: unknown): Promise<EndStatesResponse> {
    return searchEndStates(this.pool, requireValid(SearchEndStatesBody, body));
  }
}
