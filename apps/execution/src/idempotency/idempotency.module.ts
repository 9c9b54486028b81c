import { Module } from '@nestjs/common';
import { CallModule } from '../call/call.module.js';
import { ResultShapingModule } from '../result-shaping/result-shaping.module.js';
import { ExecuteOncePerKey } from './execute-once-per-key.js';
import { AnswerKeeper } from './kept-answer.js';
import { KeyedRequestMetrics } from './keyed-request-metrics.js';
import { SweepKeysTask } from './sweep-keys.task.js';

@Module({
  imports: [CallModule, ResultShapingModule],
  providers: [ExecuteOncePerKey, AnswerKeeper, SweepKeysTask, KeyedRequestMetrics],
  exports: [ExecuteOncePerKey, AnswerKeeper],
})
export class IdempotencyModule {}
