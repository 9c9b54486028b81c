import { Module } from '@nestjs/common';
import { HoldGroups } from './hold-groups.js';
import { HoldSweepTask } from './hold-sweep.task.js';
import { HoldsController } from './holds.controller.js';
import { PurgeForestalledHoldsTask } from './purge-forestalled-holds.task.js';
import { SweepMetrics } from './sweep-metrics.js';

@Module({
  controllers: [HoldsController],
  providers: [HoldGroups, HoldSweepTask, PurgeForestalledHoldsTask, SweepMetrics],
})
export class HoldsModule {}
