import { Module } from '@nestjs/common';
import { BillingConsumersModule } from '../billing-consumers.module.js';
import { GaugesTask } from './gauges.task.js';

@Module({ imports: [BillingConsumersModule], providers: [GaugesTask] })
export class GaugesModule {}
