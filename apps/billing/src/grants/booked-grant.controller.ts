import type { GrantBookedResponse } from '@capability-router/contracts';
import { AppError, isAccountId } from '@capability-router/kernel';
import { AllowCallers, POOL } from '@capability-router/service-kit';
import { Controller, Get, Inject, Param } from '@nestjs/common';
import type pg from 'pg';
import { isGranted } from './grants.sql.js';

@Controller('internal/accounts/:accountId/grants')
export class BookedGrantController {
  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  /** Identity asks it after it has recorded what brings a grant. */
  @Get(':grantRef')
  @AllowCallers('identity')
  async isBooked(
    @Param('accountId') accountId: string,
    @Param('grantRef') grantRef: string,
  ): Promise<GrantBookedResponse> {
    if (!isAccountId(accountId)) throw new AppError('not_found');
    return { booked: await isGranted(this.pool, accountId, grantRef) };
  }
}
