import { Module } from '@nestjs/common';
import { AccountListModule } from './account-list/account-list.module.js';
import { AccountStatesModule } from './account-states/account-states.module.js';
import { AccountsModule } from './accounts/accounts.module.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { ClaimsModule } from './claims/claims.module.js';
import { CredentialsModule } from './credentials/credentials.module.js';
import { DevicePageModule } from './device-page/device-page.module.js';
import { ErasureModule } from './erasure/erasure.module.js';
import { EvictionsModule } from './evictions/evictions.module.js';
import { IdentityStart } from './identity-start.js';
import { MailModule } from './mail/mail.module.js';
import { OAuthClientsModule } from './oauth-clients/oauth-clients.module.js';
import { ProjectsModule } from './project-management/projects.module.js';
import { RateLimitPlansModule } from './rate-limit-plans/rate-limit-plans.module.js';
import { SecurityLogModule } from './security-log/security-log.module.js';
import { TokenEndpointModule } from './token-endpoint/token-endpoint.module.js';
import { TrialAgentsModule } from './trial-agents/trial-agents.module.js';

/** A module for each slice. The parts that they are made of come from `ServicePartsModule`. */
@Module({
  imports: [
    AccountListModule,
    AccountStatesModule,
    AccountsModule,
    ApiKeysModule,
    ClaimsModule,
    CredentialsModule,
    DevicePageModule,
    ErasureModule,
    EvictionsModule,
    MailModule,
    OAuthClientsModule,
    ProjectsModule,
    RateLimitPlansModule,
    SecurityLogModule,
    TokenEndpointModule,
    TrialAgentsModule,
  ],
  providers: [IdentityStart],
})
export class IdentityModule {}
