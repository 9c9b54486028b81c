import { Module } from '@nestjs/common';
import { RetentionSweepTask } from '../retention/retention-sweep.task.js';
import { PayloadLookupController } from './payload-lookup.controller.js';

/** Texts of requests: shown to billing, and removed after their time. */
@Module({ providers: [RetentionSweepTask], controllers: [PayloadLookupController] })
export class PayloadsModule {}
