import { Module } from '@nestjs/common';
import { VerifyCredentialController } from './verify-credential.controller.js';

/** Tells the gateway whose a key is. */
@Module({ controllers: [VerifyCredentialController] })
export class ApiKeysModule {}
