import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { CallerJsonPaths, ResultExpressions, ToolJsonPaths } from './evaluators.js';
import { ReplacedCredentials } from './replaced-credentials.js';
import { ToolProviders } from './tool-providers.js';

@Module({
  imports: [CredentialsModule],
  providers: [ToolJsonPaths, CallerJsonPaths, ResultExpressions, ToolProviders, ReplacedCredentials],
  exports: [ToolJsonPaths, CallerJsonPaths, ResultExpressions, ToolProviders, ReplacedCredentials],
})
export class ProvidersModule {}
