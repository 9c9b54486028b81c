import { Module } from '@nestjs/common';
import { ToolCopiesModule } from '../tool-copies/tool-copies.module.js';
import { AccountCredentialsController } from './account-credentials.controller.js';
import { AdminCredentialsController } from './admin-credentials.controller.js';
import { CredentialStore } from './credential-store.js';
import { PublishedAccess } from './published-access.js';
import { CredentialRotation } from './rotate-credentials.js';

@Module({
  imports: [ToolCopiesModule],
  controllers: [AccountCredentialsController, AdminCredentialsController],
  providers: [CredentialStore, PublishedAccess, CredentialRotation],
  exports: [CredentialStore],
})
export class CredentialsModule {}
