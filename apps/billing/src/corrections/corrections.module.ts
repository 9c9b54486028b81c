import { Module } from '@nestjs/common';
import { AdminCommandsModule } from '../admin-commands/admin-commands.module.js';
import { CorrectionsController } from './corrections.controller.js';

@Module({ imports: [AdminCommandsModule], controllers: [CorrectionsController] })
export class CorrectionsModule {}
