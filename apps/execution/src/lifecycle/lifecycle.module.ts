import { Module } from '@nestjs/common';
import { CallModule } from '../call/call.module.js';
import { EndStatesController } from './end-states.controller.js';
import { InterruptLapsedTask } from './interrupt-lapsed.task.js';

@Module({ imports: [CallModule], controllers: [EndStatesController], providers: [InterruptLapsedTask] })
export class LifecycleModule {}
