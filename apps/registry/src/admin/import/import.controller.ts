import type { AccountAssertion } from '@capability-router/contracts';
import {
  AllowCallers,
  CurrentAccount,
  ImportStreams,
  LOGGER,
  requireAdmin,
  requireValid,
  type ServiceRuntime,
} from '@capability-router/service-kit';
import { Controller, Inject, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DryRunQuery } from '../dry-run.query.js';
import { ImportCatalogue } from './import-catalogue.js';

@Controller('admin/v1')
export class ImportController {
  private readonly imports: ImportStreams;

  constructor(
    @Inject(LOGGER) logger: ServiceRuntime['logger'],
    @Inject(ImportCatalogue) private readonly catalogue: ImportCatalogue,
  ) {
    this.imports = new ImportStreams(logger, 'the catalogue');
  }

  /** Streams both ways: rows in, a line of report for each out. The last line is the summary, or says what went wrong. */
  @Post('catalog::import')
  @AllowCallers('gateway')
  import(
    @CurrentAccount() caller: AccountAssertion,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query() query: unknown,
  ): void {
    requireAdmin(caller);
    const { dry_run: dryRun } = requireValid(DryRunQuery, query, { location: 'query' });
    this.imports.run(request, reply, (rows, format) => this.catalogue.run(rows, { format, dryRun: dryRun === 'true' }));
  }
}
