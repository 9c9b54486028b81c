import { Module } from '@nestjs/common';
import { GatewayReportController } from './gateway-report.controller.js';
import { PurgeReportsTask } from './purge-reports.task.js';

/** Replicas of the gateway that live, and what each has evicted. */
@Module({ controllers: [GatewayReportController], providers: [PurgeReportsTask] })
export class EvictionsModule {}
