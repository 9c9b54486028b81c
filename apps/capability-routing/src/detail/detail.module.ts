import { RemainingCredits } from '@capability-router/service-kit';
import { Module } from '@nestjs/common';
import { CapabilityDetailController } from './capability-detail.controller.js';

@Module({ providers: [RemainingCredits], controllers: [CapabilityDetailController] })
export class DetailModule {}
