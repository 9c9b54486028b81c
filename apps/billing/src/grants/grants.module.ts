import { Module } from '@nestjs/common';
import { AdminCommandsModule } from '../admin-commands/admin-commands.module.js';
import { GrantsController } from './grants.controller.js';

@Module({ imports: [AdminCommandsModule], controllers: [GrantsController] })
export class GrantsModule {}
