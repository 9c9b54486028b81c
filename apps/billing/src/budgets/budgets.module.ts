import { Module } from '@nestjs/common';
import { PurgeBudgetsTask } from './purge-budgets.task.js';

@Module({ providers: [PurgeBudgetsTask] })
export class BudgetsModule {}
