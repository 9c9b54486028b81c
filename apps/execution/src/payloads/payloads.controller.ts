import type { PayloadLookupResponse } from '@capability-router/contracts';
import { AllowCallers, POOL, requireValid } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsUUID, Matches } from 'class-validator';
import type pg from 'pg';
import { lookUpPayloads, MAX_LOOKUP_IDS } from './payload-store.sql.js';

class PayloadLookupBody {
  @Matches(/^acc_[0-9a-f]{32}$/) accountId: string;

  @IsArray()
  @ArrayMaxSize(MAX_LOOKUP_IDS)
  @IsUUID('all', { each: true })
  usageEventIds: string[];
}

@Controller('internal')
export class PayloadsController {
  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  @Post('payloads::lookup')
  @HttpCode(200)
  @AllowCallers('billing')
  lookup(@Body() body: unknown): Promise<PayloadLookupResponse> {
    return lookUpPayloads(this.pool, requireValid(PayloadLookupBody, body));
  }
}
