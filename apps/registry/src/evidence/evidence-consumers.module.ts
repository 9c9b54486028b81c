import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { ErasuresConsumer } from '../feedback/erasures.consumer.js';
import { FeedbackConsumer } from '../feedback/feedback.consumer.js';
import { StatisticsConsumer } from '../statistics/statistics.consumer.js';
import { EVIDENCE } from './evidence-context.js';
import type { EvidenceContext } from './evidence-context.js';

/** Every event handler of the registry. The running service and the command that replays parked events have the same. */
@Module({})
export class EvidenceConsumersModule {
  static with(context: EvidenceContext): DynamicModule {
    return {
      module: EvidenceConsumersModule,
      providers: [{ provide: EVIDENCE, useValue: context }],
      controllers: [StatisticsConsumer, FeedbackConsumer, ErasuresConsumer],
    };
  }
}
