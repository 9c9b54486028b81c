import { RemainingCredits } from '@capability-router/service-kit';
import { Module } from '@nestjs/common';
import { DiscoveryRecorder } from './discovery-recorder.js';

/** Every answer about tools is recorded, and says what the account can still spend. */
@Module({ providers: [DiscoveryRecorder, RemainingCredits], exports: [DiscoveryRecorder, RemainingCredits] })
export class DiscoveryModule {}
