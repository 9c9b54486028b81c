import { Module } from '@nestjs/common';
import { SettlementOfExecutionController } from './settlement-of-execution.controller.js';

@Module({ controllers: [SettlementOfExecutionController] })
export class SettlementOfExecutionModule {}
