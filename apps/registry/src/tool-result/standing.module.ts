import { Module } from '@nestjs/common';
import { VerificationCopiesModule } from '../verification/verification-copies.module.js';
import { ToolStanding } from './tool-standing.js';

@Module({ imports: [VerificationCopiesModule], providers: [ToolStanding], exports: [ToolStanding] })
export class StandingModule {}
