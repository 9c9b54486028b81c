import { Module } from '@nestjs/common';
import { VerificationCopy } from './verification-copy.js';

/** What verification has found of tools, in memory. */
@Module({ providers: [VerificationCopy], exports: [VerificationCopy] })
export class VerificationCopiesModule {}
