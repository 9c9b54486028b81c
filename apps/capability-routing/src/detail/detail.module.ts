import { RemainingCredits } from '@capability-router/service-kit';
import { Module } from '@nestjs/common';
import { ToolCopiesModule } from '../tool-copies/tool-copies.module.js';
import { VerificationsModule } from '../verifications/verifications.module.js';
import { CapabilityDetailController } from './capability-detail.controller.js';

@Module({
  imports: [ToolCopiesModule, VerificationsModule],
  providers: [RemainingCredits],
  controllers: [CapabilityDetailController],
})
export class DetailModule {}
