import { Module } from '@nestjs/common';
import { TokensModule } from '../tokens/tokens.module.js';
import { DeviceAuthorizationController } from './device-authorization.controller.js';
import { DeviceCodeGrant } from './device-code.grant.js';
import { PurgeDeviceCodesTask } from './purge-device-codes.task.js';

/** Codes of programs that wait for a person's consent, and what they get for it. */
@Module({
  imports: [TokensModule],
  controllers: [DeviceAuthorizationController],
  providers: [DeviceCodeGrant, PurgeDeviceCodesTask],
  exports: [DeviceCodeGrant],
})
export class DeviceCodesModule {}
