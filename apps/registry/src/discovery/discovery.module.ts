import { RemainingCredits } from '@capability-router/service-kit';
import { Module } from '@nestjs/common';
import { DiscoveryRecorder } from './discovery-recorder.js';

/** What every answer about tools takes: it is recorded, and says what the account can still spend. */
@Module({ providers: [DiscoveryRecorder, RemainingCredits], exports: [DiscoveryRecorder, RemainingCredits] })
export class DiscoveryModule {}
