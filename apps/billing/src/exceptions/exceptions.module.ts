import { Module } from '@nestjs/common';
import { AdminCommandsModule } from '../admin-commands/admin-commands.module.js';
import { AnomaliesTask } from './anomalies.task.js';
import { ExceptionsController } from './exceptions.controller.js';

@Module({ imports: [AdminCommandsModule], controllers: [ExceptionsController], providers: [AnomaliesTask] })
export class ExceptionsModule {}
