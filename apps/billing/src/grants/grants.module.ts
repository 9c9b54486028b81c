import { Module } from '@nestjs/common';
import { AdminCommandsModule } from '../admin-commands/admin-commands.module.js';
import { BookedGrantController } from './booked-grant.controller.js';
import { GrantsController } from './grants.controller.js';

@Module({ imports: [AdminCommandsModule], controllers: [BookedGrantController, GrantsController] })
export class GrantsModule {}
