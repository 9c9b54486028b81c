import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { ExternalIssuersModule } from '../external-issuers/external-issuers.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { VerifyCredentialController } from './verify-credential.controller.js';

/** Tells the gateway whose a credential is, of whatever kind. */
@Module({ imports: [ApiKeysModule, ExternalIssuersModule, TokensModule], controllers: [VerifyCredentialController] })
export class CredentialsModule {}
