import type { AccountAssertion } from '@capability-router/contracts';
import { AllowCallers, CurrentAccount, POOL } from '@capability-router/service-kit';
import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type pg from 'pg';
import { csvExport } from '../csv-export/csv-export.js';
import { ExportSlots } from '../csv-export/export-slots.js';
import { validQuery } from '../queries/valid-query.js';
import { ledgerCsvColumns, readLedgerCsv } from './ledger-csv.sql.js';
import { ledgerFilterOf } from './ledger-filter.js';
import { LedgerExportQuery } from './ledger.query.js';

@Controller('api/v1/auth/credits/ledger/export')
export class LedgerExportController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(ExportSlots) private readonly slots: ExportSlots,
  ) {}

  @Get()
  @AllowCallers('gateway')
  async download(
    @CurrentAccount() { accountId }: AccountAssertion,
    @Query() raw: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const query = validQuery(LedgerExportQuery, raw);
    const filter = { ...ledgerFilterOf(query), scope: query.scope };
    await this.slots.send(reply, accountId, 'ledger.csv', () =>
      csvExport(ledgerCsvColumns(query.scope), (beforeSeq) => readLedgerCsv(this.pool, accountId, filter, beforeSeq)),
    );
  }
}
