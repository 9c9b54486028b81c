import { Module } from '@nestjs/common';
import { ExternalIssuersModule } from '../external-issuers/external-issuers.module.js';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.js';
import { AccessTokens } from './access-tokens.js';
import { ClientCredentialsGrant } from './client-credentials.grant.js';
import { TokenExchangeGrant } from './delegation/token-exchange.grant.js';
import { ConsentUsesTask } from './consents/consent-uses.task.js';
import { ConsentsController } from './consents/consents.controller.js';
import { Consents } from './consents/consents.js';
import { OwnConsentsController } from './consents/own-consents.controller.js';
import { PurgeTokensTask } from './purge-tokens.task.js';
import { RefreshFamilies } from './refresh-families.js';
import { RefreshTokenGrant } from './refresh-token.grant.js';
import { TokenStatusController } from './token-status.controller.js';
import { VerifyTokenController } from './verify-token.controller.js';

/** Access and refresh tokens: issued to clients, verified, introspected and revoked. */
@Module({
  imports: [ExternalIssuersModule, SigningKeysModule],
  controllers: [ConsentsController, OwnConsentsController, TokenStatusController, VerifyTokenController],
  providers: [
    AccessTokens,
    ClientCredentialsGrant,
    Consents,
    ConsentUsesTask,
    PurgeTokensTask,
    RefreshFamilies,
    RefreshTokenGrant,
    TokenExchangeGrant,
  ],
  exports: [AccessTokens, ClientCredentialsGrant, RefreshFamilies, RefreshTokenGrant, TokenExchangeGrant],
})
export class TokensModule {}
