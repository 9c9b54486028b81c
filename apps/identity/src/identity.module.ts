import { Module } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { ErasureModule } from './erasure/erasure.module.js';
import { EvictionsModule } from './evictions/evictions.module.js';
import { IdentityStart } from './identity-start.js';
import { TrialAgentsModule } from './trial-agents/trial-agents.module.js';

/** A module for each slice. The parts that they are made of come from `ServicePartsModule`. */
@Module({
  imports: [AccountsModule, ApiKeysModule, ErasureModule, EvictionsModule, TrialAgentsModule],
  providers: [IdentityStart],
})
export class IdentityModule {}
