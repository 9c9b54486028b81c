import { Module } from '@nestjs/common';
import { AnomaliesTask } from './anomalies.task.js';
import { ExceptionsController } from './exceptions.controller.js';

@Module({ controllers: [ExceptionsController], providers: [AnomaliesTask] })
export class ExceptionsModule {}
