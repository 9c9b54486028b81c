import type { SettlementResponse } from '@capability-router/contracts';
import { AppError, isAccountId, isExecutionId, usageEventIdOf } from '@capability-router/kernel';
import { AllowCallers, POOL } from '@capability-router/service-kit';
import { Controller, Get, Inject, Param } from '@nestjs/common';
import type pg from 'pg';
import { snapshotStatus } from '../usage-audit/usage-event-view.js';
import { findUsage } from '../usage-audit/usage-queries.sql.js';

/** Tells what became of the bill of one execution; never on a public listener. */
@Controller('internal')
export class SettlementOfExecutionController {
  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  @Get('accounts/:accountId/executions/:executionId/settlement')
  @AllowCallers('execution')
  async settlement(
    @Param('accountId') accountId: string,
    @Param('executionId') executionId: string,
  ): Promise<SettlementResponse> {
    if (!isAccountId(accountId) || !isExecutionId(executionId)) throw new AppError('not_found');
    const row = await findUsage(this.pool, accountId, usageEventIdOf(executionId));
    if (row === undefined) return { settlementState: 'pending' };
    return {
      settlementState: snapshotStatus(row),
      ...(row.settled_micro === null ? {} : { amountMicroCredits: row.effective_micro }),
      ...(row.ledger_entry_id === null ? {} : { ledgerEntryId: row.ledger_entry_id }),
    };
  }
}
