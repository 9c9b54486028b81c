import { Module } from '@nestjs/common';
import { CallModule } from '../call/call.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { BreakersController } from './breakers.controller.js';
import { EndStatesController } from './end-states.controller.js';
import { InterruptLapsedTask } from './interrupt-lapsed.task.js';

@Module({
  imports: [CallModule, ProvidersModule],
  controllers: [EndStatesController, BreakersController],
  providers: [InterruptLapsedTask],
})
export class LifecycleModule {}
