import { Periodic } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { IDENTITY } from '../context.js';
import type { IdentityContext } from '../context.js';
import { purgeReports } from './gateway-replicas.sql.js';

const INTERVAL_MS = 3_600_000;

@Injectable()
export class PurgeReportsTask {
  constructor(@Inject(IDENTITY) private readonly identity: IdentityContext) {}

  @Periodic({ name: 'purge of gateway reports', everyMs: INTERVAL_MS, atStart: true })
  purge(): Promise<void> {
    return purgeReports(this.identity.pool);
  }
}
