import { Module } from '@nestjs/common';
import { CapabilityQueryController } from './capability-query.controller.js';

@Module({ controllers: [CapabilityQueryController] })
export class QueryModule {}
