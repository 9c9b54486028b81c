import { Module } from '@nestjs/common';
import { ApiKeysController } from './api-keys.controller.js';
import { KeyRotation } from './key-rotation.js';
import { KeyUsesTask } from './key-uses.task.js';
import { OwnApiKeysController } from './own-api-keys.controller.js';
import { RotateApiKeyController } from './rotate-api-key.controller.js';
import { RotateOwnApiKeyController } from './rotate-own-api-key.controller.js';

/** Lets administrators and accounts issue, change, rotate and revoke keys. */
@Module({
  controllers: [ApiKeysController, OwnApiKeysController, RotateApiKeyController, RotateOwnApiKeyController],
  providers: [KeyRotation, KeyUsesTask],
  exports: [KeyUsesTask],
})
export class ApiKeysModule {}
