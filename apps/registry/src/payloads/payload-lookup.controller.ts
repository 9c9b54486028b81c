import type { PayloadLookupResponse } from '@capability-router/contracts';
import { AllowCallers, requireValid } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { REGISTRY } from '../context.js';
import type { RegistryContext } from '../context.js';
import { findPayloads } from './find-payloads.sql.js';
import { PayloadLookupBody } from './payload-lookup.request.js';

@Controller()
export class PayloadLookupController {
  constructor(@Inject(REGISTRY) private readonly registry: RegistryContext) {}

  /** Texts of requests for the details of audit rows. What retention or erasure removed is left out. */
  // The router takes `::` for a literal colon.
  @Post('internal/payloads::lookup')
  @HttpCode(200)
  @AllowCallers('billing')
  async lookup(@Body() body: unknown): Promise<PayloadLookupResponse> {
    const { accountId, usageEventIds } = requireValid(PayloadLookupBody, body);
    return { payloads: await findPayloads(this.registry.pool, accountId, usageEventIds) };
  }
}
