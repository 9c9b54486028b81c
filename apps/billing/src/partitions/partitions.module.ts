import { Module } from '@nestjs/common';
import { PartitionMetrics } from './partition-metrics.js';
import { PartitionsTask } from './partitions.task.js';

@Module({ providers: [PartitionMetrics, PartitionsTask] })
export class PartitionsModule {}
