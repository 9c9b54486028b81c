import { Module } from '@nestjs/common';
import { PayloadsController } from './payloads.controller.js';
import { SweepPayloadsTask } from './sweep-payloads.task.js';

@Module({ controllers: [PayloadsController], providers: [SweepPayloadsTask] })
export class PayloadsModule {}
