import { Module } from '@nestjs/common';
import { CompleteRanges } from './complete-ranges.js';
import { SettlementHistoryController } from './settlement-history.controller.js';

@Module({ controllers: [SettlementHistoryController], providers: [CompleteRanges] })
export class SettlementHistoryModule {}
