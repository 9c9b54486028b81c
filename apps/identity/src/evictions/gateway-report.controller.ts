import type { GatewayReportRequest, GatewayReportResponse } from '@capability-router/contracts';
import { AllowCallers, OneLine, POOL, requireValid } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { ArrayMaxSize, Equals, IsArray, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import type pg from 'pg';
import { recordReport } from './gateway-replicas.sql.js';

/** Ids of one report. */
const MAX_EVICTED = 500;
/** Characters. */
const MAX_ID_LENGTH = 64;

class GatewayReport implements GatewayReportRequest {
  @IsUUID()
  readonly replicaId: string;

  @IsArray()
  @ArrayMaxSize(MAX_EVICTED)
  @IsString({ each: true })
  @MaxLength(MAX_ID_LENGTH, { each: true })
  @OneLine({ each: true })
  readonly evicted: string[];

  @IsOptional()
  @Equals(true)
  readonly leaving?: true;
}

@Controller()
export class GatewayReportController {
  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  /** That a replica of the gateway lives, and what it has evicted: the answer to a revocation waits for it. */
  // The router takes `::` for a literal colon.
  @Post('internal/gateway-replicas::report')
  @HttpCode(200)
  @AllowCallers('gateway')
  async report(@Body() body: unknown): Promise<GatewayReportResponse> {
    const leaseBeganAt = await recordReport(this.pool, requireValid(GatewayReport, body));
    return leaseBeganAt === undefined ? {} : { leaseBeganAt: leaseBeganAt.toISOString() };
  }
}
