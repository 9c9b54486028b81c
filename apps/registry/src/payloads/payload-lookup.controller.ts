import type { PayloadLookupResponse } from '@capability-router/contracts';
import { AllowCallers, POOL, requireValid } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import type pg from 'pg';
import { findPayloads } from './find-payloads.sql.js';
import { PayloadLookupBody } from './payload-lookup.request.js';

@Controller()
export class PayloadLookupController {
  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  /** Texts of requests for the details of audit rows. What retention or erasure removed is left out. */
  // The router takes `::` for a literal colon.
  @Post('internal/payloads::lookup')
  @HttpCode(200)
  @AllowCallers('billing')
  async lookup(@Body() body: unknown): Promise<PayloadLookupResponse> {
    const { accountId, usageEventIds } = requireValid(PayloadLookupBody, body);
    return { payloads: await findPayloads(this.pool, accountId, usageEventIds) };
  }
}
