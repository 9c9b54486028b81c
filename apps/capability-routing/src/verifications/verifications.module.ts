import { Module } from '@nestjs/common';
import { VerificationCopy } from './verification-copy.js';
import { VerificationsTask } from './verifications.task.js';

/** The registry's findings about tools, in memory. */
@Module({ providers: [VerificationCopy, VerificationsTask], exports: [VerificationCopy] })
export class VerificationsModule {}
