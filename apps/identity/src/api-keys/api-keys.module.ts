import { Module } from '@nestjs/common';
import { ApiKeysController } from './api-keys.controller.js';
import { VerifyCredentialController } from './verify-credential.controller.js';

/** Tells the gateway whose a key is, and lets administrators issue, change and revoke keys. */
@Module({ controllers: [VerifyCredentialController, ApiKeysController] })
export class ApiKeysModule {}
