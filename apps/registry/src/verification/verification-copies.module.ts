import { Module } from '@nestjs/common';
import { VerificationCopy } from './verification-copy.js';

/** Findings of verification about tools, in memory. */
@Module({ providers: [VerificationCopy], exports: [VerificationCopy] })
export class VerificationCopiesModule {}
