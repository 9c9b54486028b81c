import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { LookUpExecution } from './look-up-execution.js';
import { LookUpController } from './look-up.controller.js';

@Module({ imports: [IdempotencyModule], controllers: [LookUpController], providers: [LookUpExecution] })
export class LookUpModule {}
