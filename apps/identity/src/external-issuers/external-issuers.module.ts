import { Module } from '@nestjs/common';
import { ExternalCredentials } from './external-credentials.js';
import { ExternalTokens } from './external-tokens.js';

/** Tokens of other issuers, whom the operator trusts. */
@Module({ providers: [ExternalCredentials, ExternalTokens], exports: [ExternalCredentials, ExternalTokens] })
export class ExternalIssuersModule {}
