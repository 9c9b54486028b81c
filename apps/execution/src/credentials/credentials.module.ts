import { Module } from '@nestjs/common';
import { ToolCopiesModule } from '../tool-copies/tool-copies.module.js';
import { AccountCredentialsController } from './account-credentials.controller.js';
import { AdminCredentialsController } from './admin-credentials.controller.js';
import { CredentialStore } from './credential-store.js';
import { CredentialsContext } from './credentials-context.js';

@Module({
  imports: [ToolCopiesModule],
  controllers: [AccountCredentialsController, AdminCredentialsController],
  providers: [CredentialStore, CredentialsContext],
  exports: [CredentialStore],
})
export class CredentialsModule {}
