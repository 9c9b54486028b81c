import { Module } from '@nestjs/common';
import { VerificationCopy } from './verification-copy.js';
import { VerificationsTask } from './verifications.task.js';

/** What the registry has found of tools, in memory. */
@Module({ providers: [VerificationCopy, VerificationsTask], exports: [VerificationCopy] })
export class VerificationsModule {}
