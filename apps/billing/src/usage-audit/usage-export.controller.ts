import type { AccountAssertion } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { AllowCallers, CLOCK, CurrentAccount, POOL } from '@capability-router/service-kit';
import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type pg from 'pg';
import { csvExport } from '../csv-export/csv-export.js';
import { ExportSlots } from '../csv-export/export-slots.js';
import { validQuery } from '../queries/valid-query.js';
import { readUsageCsv, usageCsvColumns } from './usage-csv.sql.js';
import { usageFilterOf } from './usage-filter.js';
import { UsageExportQuery } from './usage-history.query.js';

@Controller('api/v1/auth/usage/history/v2/export')
export class UsageExportController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(ExportSlots) private readonly slots: ExportSlots,
  ) {}

  @Get()
  @AllowCallers('gateway')
  async download(
    @CurrentAccount() { accountId }: AccountAssertion,
    @Query() raw: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const filter = usageFilterOf(validQuery(UsageExportQuery, raw), this.clock.nowMs());
    await this.slots.send(reply, accountId, 'usage.csv', () =>
      csvExport(usageCsvColumns, (beforeSeq) => readUsageCsv(this.pool, accountId, filter, beforeSeq)),
    );
  }
}
