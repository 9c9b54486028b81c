import { Readable } from 'node:stream';
import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, type Clock, type JsonObject } from '@capability-router/kernel';
import { AllowCallers, CLOCK, CurrentAccount, POOL, requireAdmin } from '@capability-router/service-kit';
import { Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { ImportResult } from './domain/import-result.js';
import type { ModelCall } from './domain/model-call.js';
import { importModelCalls } from './import-model-calls.js';
import { NDJSON } from './import-routes.js';
import { readModelCall } from './read-model-call.js';
import { rowsOfBatch, rowsOfLines, type ImportRow } from './read-rows.js';

/** Rows of one transaction. */
const ROWS_PER_BATCH = 200;
/** Imports that one replica runs at a time. */
const MAX_CONCURRENT_IMPORTS = 2;
const RETRY_AFTER_SECONDS = 5;

/** Model calls, brought in by an operator. */
@Controller('admin/v1')
export class UsageImportController {
  private running = 0;

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Says of each row what became of it. Sending it again imports what is missing and charges nothing twice. */
  @Post('usage-events::import')
  @HttpCode(200)
  @AllowCallers('gateway')
  async import(
    @CurrentAccount() caller: AccountAssertion,
    @Req() request: FastifyRequest,
  ): Promise<ApiResponse<JsonObject>> {
    requireAdmin(caller);
    if (this.running >= MAX_CONCURRENT_IMPORTS) {
      throw new AppError('service_unavailable', 'Other imports are running. Try again when they have ended.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    this.running += 1;
    try {
      return apiSuccess(await this.importRows(await rowsOf(request)));
    } finally {
      this.running -= 1;
    }
  }

  private async importRows(rows: readonly ImportRow[]): Promise<JsonObject> {
    const report: ReportLine[] = [];
    const nowMs = this.clock.nowMs();
    for (let from = 0; from < rows.length; from += ROWS_PER_BATCH) {
      const read = rows.slice(from, from + ROWS_PER_BATCH).map((row) => readRow(row, nowMs));
      const calls = read.flatMap((row) => ('call' in row ? [row.call] : []));
      const results = await importModelCalls(this.pool, calls, this.clock);
      for (const [index, row] of read.entries()) {
        const line = 'call' in row ? importedLine(row.call, results.shift()) : faultLine(row);
        report.push({ row: from + index + 1, ...line });
      }
    }
    const results: Record<string, number> = { imported: 0, duplicate: 0, conflict: 0, rejected: 0 };
    for (const { status } of report) results[status] = (results[status] ?? 0) + 1;
    return { rows: rows.length, results, items: report };
  }
}

type ReadRow = ReturnType<typeof readModelCall>;

const readRow = (row: ImportRow, nowMs: number): ReadRow =>
  'fault' in row ? { detail: [row.fault] } : readModelCall(row.value, nowMs);

async function rowsOf(request: FastifyRequest): Promise<ImportRow[]> {
  const [contentType = ''] = (request.headers['content-type'] ?? '').split(';', 1);
  if (contentType.trim().toLowerCase() === NDJSON && request.body instanceof Readable) return rowsOfLines(request.body);
  return rowsOfBatch(request.body);
}

type ReportLine = JsonObject & { status: string };

function importedLine(call: ModelCall, result: ImportResult | undefined): ReportLine {
  if (result === undefined) throw new Error('an import left a row without a result');
  const line = { import_id: call.importId, status: result.status };
  if ('message' in result) return { ...line, code: result.code, message: result.message };
  return {
    ...line,
    source_ref_id: result.importRef,
    ...('usageEventId' in result ? { usage_event_id: result.usageEventId } : {}),
    ...('ledgerEntryId' in result ? { ledger_entry_id: result.ledgerEntryId } : {}),
  };
}

function faultLine(row: Exclude<ReadRow, { readonly call: ModelCall }>): ReportLine {
  const [first] = row.detail;
  return {
    ...(row.importId === undefined ? {} : { import_id: row.importId }),
    status: 'rejected',
    code: 'validation_error',
    message: first?.msg ?? 'The row is invalid.',
    detail: row.detail.map(({ type, loc, msg }) => ({ type, loc: [...loc], msg })),
  };
}
