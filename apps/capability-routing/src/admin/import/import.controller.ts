import {
  accountOf,
  AllowCallers,
  ImportStreams,
  LOGGER,
  requireAdmin,
  requireValid,
  type ServiceRuntime,
} from '@capability-router/service-kit';
import { Controller, Inject, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { WriteQuery } from '../capabilities.query.js';
import { ImportCapabilities } from './import-capabilities.js';

@Controller('admin/v1')
export class ImportController {
  private readonly imports: ImportStreams;

  constructor(
    @Inject(LOGGER) private readonly logger: ServiceRuntime['logger'],
    @Inject(ImportCapabilities) private readonly capabilities: ImportCapabilities,
  ) {
    this.imports = new ImportStreams(logger, 'contracts');
  }

  /** Streams both ways: rows in, a line of report for each out. The last line is the summary, or says what went wrong. */
  @Post('capabilities::import')
  @AllowCallers('gateway')
  import(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Query() query: unknown): void {
    const account = accountOf(request);
    requireAdmin(account);
    const { accountId, apiKeyId } = account;
    const { dry_run: dryRun, allow_breaking: allowBreaking } = requireValid(WriteQuery, query, { location: 'query' });
    const options = { dryRun: dryRun === 'true', allowBreaking: allowBreaking === 'true' };
    this.imports.run(request, reply, (rows, format) => this.capabilities.run(rows, format, options));
    this.logger.info({ action: 'import', accountId, apiKeyId, ...options }, 'an administrator imports contracts');
  }
}
