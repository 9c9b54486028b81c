import { Readable } from 'node:stream';
import { AppError } from '@capability-router/kernel';
import { accountOf, AllowCallers, LOGGER, requireAdmin, requireValid } from '@capability-router/service-kit';
import type { ServiceRuntime } from '@capability-router/service-kit';
import { Controller, Inject, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DryRunQuery } from '../dry-run.query.js';
import { ImportCatalogue, TooManyRows } from './import-catalogue.js';
import type { ImportOptions } from './import-catalogue.js';

/**
 * Bytes of the report that wait for a caller who reads it only after having sent everything. Beyond it the import waits
 * for the caller.
 */
const REPORT_BUFFER_BYTES = 33_554_432;
/** Imports that one replica runs at a time. */
const MAX_CONCURRENT_IMPORTS = 2;

const formats: Readonly<Record<string, ImportOptions['format']>> = {
  'application/x-ndjson': 'ndjson',
  'application/yaml': 'yaml',
  'application/x-yaml': 'yaml',
};

@Controller('admin/v1')
export class ImportController {
  private running = 0;

  constructor(
    @Inject(LOGGER) private readonly logger: ServiceRuntime['logger'],
    @Inject(ImportCatalogue) private readonly catalogue: ImportCatalogue,
  ) {}

  /** Streams both ways: rows in, a line of report for each out. The last line is the summary, or says what went wrong. */
  @Post('catalog::import')
  @AllowCallers('gateway')
  import(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Query() query: unknown): void {
    requireAdmin(accountOf(request));
    const { dry_run: dryRun } = requireValid(DryRunQuery, query, { location: 'query' });
    const [contentType = ''] = (request.headers['content-type'] ?? '').split(';', 1);
    const format = formats[contentType.trim().toLowerCase()];
    const { body } = request;
    if (format === undefined || !(body instanceof Readable)) {
      throw new AppError('unsupported_media_type', `Send the rows as one of: ${Object.keys(formats).join(', ')}.`);
    }
    if (this.running >= MAX_CONCURRENT_IMPORTS) {
      throw new AppError('service_unavailable', 'Other imports are running. Try again when they have ended.');
    }
    this.running += 1;
    const report = Readable.from(this.lines(body, { format, dryRun: dryRun === 'true' }), {
      objectMode: false,
      highWaterMark: REPORT_BUFFER_BYTES,
    });
    report.once('close', () => {
      this.running -= 1;
    });
    void reply.code(200).header('content-type', 'application/x-ndjson; charset=utf-8').send(report);
  }

  private async *lines(body: Readable, options: ImportOptions): AsyncGenerator<string> {
    // To destroy the body would close the connection on which the report is sent.
    const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    try {
      for await (const line of this.catalogue.run(chunks, options)) yield `${JSON.stringify(line)}\n`;
    } catch (error) {
      const expected = error instanceof TooManyRows;
      if (!expected) this.logger.error({ err: error }, 'an import of the catalogue broke off');
      const message = expected
        ? error.message
        : 'The import broke off. Rows reported so far were taken; send it again.';
      yield `${JSON.stringify({ error: { message } })}\n`;
    }
  }
}
