import { Module } from '@nestjs/common';
import { AccountStatesController } from './account-states.controller.js';

/** Suspends, blocks and closes accounts. */
@Module({ controllers: [AccountStatesController] })
export class AccountStatesModule {}
