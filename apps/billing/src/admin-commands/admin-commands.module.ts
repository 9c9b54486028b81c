import { Module } from '@nestjs/common';
import { AdminCommands } from './admin-commands.js';

@Module({ providers: [AdminCommands], exports: [AdminCommands] })
export class AdminCommandsModule {}
