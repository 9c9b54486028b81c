import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { CallerJsonPaths, ToolJsonPaths } from './json-paths.js';
import { ReplacedCredentials } from './replaced-credentials.js';
import { ToolProviders } from './tool-providers.js';

@Module({
  imports: [CredentialsModule],
  providers: [ToolJsonPaths, CallerJsonPaths, ToolProviders, ReplacedCredentials],
  exports: [ToolJsonPaths, CallerJsonPaths, ToolProviders, ReplacedCredentials],
})
export class ProvidersModule {}
