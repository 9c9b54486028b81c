import { Module } from '@nestjs/common';
import { AccountRegionController } from './account-region.controller.js';
import { AccountsController } from './accounts.controller.js';
import { VerificationAccountController } from './verification-account.controller.js';

/** Accounts, as administrators open and change them. */
@Module({ controllers: [AccountsController, AccountRegionController, VerificationAccountController] })
export class AccountsModule {}
