import { Module } from '@nestjs/common';
import { ExternalCredentials } from './external-credentials.js';
import { ExternalTokens } from './external-tokens.js';
import { ExternalSubjectsController } from './links/external-subjects.controller.js';

/** Tokens of other issuers, whom the operator trusts. */
@Module({
  controllers: [ExternalSubjectsController],
  providers: [ExternalCredentials, ExternalTokens],
  exports: [ExternalCredentials, ExternalTokens],
})
export class ExternalIssuersModule {}
