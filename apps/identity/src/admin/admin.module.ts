import { Module } from '@nestjs/common';
import { AccountRegionController } from './account-region.controller.js';
import { AdminAccountsController } from './admin-accounts.controller.js';
import { AdminApiKeysController } from './admin-api-keys.controller.js';

/** Accounts and keys, as administrators open, change and end them. */
@Module({ controllers: [AdminAccountsController, AccountRegionController, AdminApiKeysController] })
export class AdminModule {}
