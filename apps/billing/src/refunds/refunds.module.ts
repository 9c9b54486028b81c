import { Module } from '@nestjs/common';
import { AdminCommandsModule } from '../admin-commands/admin-commands.module.js';
import { RefundsController } from './refunds.controller.js';

@Module({ imports: [AdminCommandsModule], controllers: [RefundsController] })
export class RefundsModule {}
