import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { ErasuresConsumer } from '../feedback/erasures.consumer.js';
import { FeedbackConsumer } from '../feedback/feedback.consumer.js';
import { StatisticsConsumer } from '../statistics/statistics.consumer.js';

/** Every event handler of the registry. The running service and the command that replays parked events have the same. */
@Module({ controllers: [StatisticsConsumer, FeedbackConsumer, ErasuresConsumer] })
export class EvidenceConsumersModule {
  /** `vocabulary` exports `FEEDBACK_VOCABULARY`. */
  static with(vocabulary: Type<unknown> | DynamicModule): DynamicModule {
    return { module: EvidenceConsumersModule, imports: [vocabulary] };
  }
}
