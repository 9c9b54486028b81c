import { Module } from '@nestjs/common';
import { CallModule } from '../call/call.module.js';
import { ToolCopiesModule } from '../tool-copies/tool-copies.module.js';
import { TrialCallsController } from './trial-calls.controller.js';

@Module({ imports: [CallModule, ToolCopiesModule], controllers: [TrialCallsController] })
export class TrialCallsModule {}
