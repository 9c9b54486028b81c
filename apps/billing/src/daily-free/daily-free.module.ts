import { Module } from '@nestjs/common';
import { PurgeAllowancesTask } from './purge-allowances.task.js';

@Module({ providers: [PurgeAllowancesTask] })
export class DailyFreeModule {}
