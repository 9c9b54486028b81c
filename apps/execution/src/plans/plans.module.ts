import { Module } from '@nestjs/common';
import { CallModule } from '../call/call.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { PlansController } from './plans.controller.js';

@Module({ imports: [CallModule, IdempotencyModule], controllers: [PlansController] })
export class PlansModule {}
