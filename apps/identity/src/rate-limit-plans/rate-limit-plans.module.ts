import { Module } from '@nestjs/common';
import { AccountRateLimitPlanController } from './account-rate-limit-plan.controller.js';
import { RateLimitPlansController } from './rate-limit-plans.controller.js';

/** Named rate limits, and which accounts have them. */
@Module({ controllers: [RateLimitPlansController, AccountRateLimitPlanController] })
export class RateLimitPlansModule {}
