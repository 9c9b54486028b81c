import { Module } from '@nestjs/common';
import { FeedbackCopy } from '../feedback/feedback-copy.js';
import { StatisticsCopy } from '../statistics/statistics-copy.js';
import { KnownStatistics } from '../tool-result/known-statistics.js';

const copies = [StatisticsCopy, FeedbackCopy, KnownStatistics];

/** Copies in memory of the evidence of calls of tools. */
@Module({ providers: copies, exports: copies })
export class EvidenceCopiesModule {}
