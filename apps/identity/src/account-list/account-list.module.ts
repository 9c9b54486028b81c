import { Module } from '@nestjs/common';
import { AccountListController } from './account-list.controller.js';

/** Lists and searches accounts, with what they have. */
@Module({ controllers: [AccountListController] })
export class AccountListModule {}
