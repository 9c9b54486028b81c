import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { ExecuteController } from './execute.controller.js';

@Module({ imports: [IdempotencyModule], controllers: [ExecuteController] })
export class ExecuteModule {}
