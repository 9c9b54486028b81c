import { Module } from '@nestjs/common';
import { AccountCommandsController } from './account-commands.controller.js';

@Module({ controllers: [AccountCommandsController] })
export class AdminCommandsModule {}
