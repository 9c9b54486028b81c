import { AppError } from '@capability-router/kernel';
import { AllowCallers } from '@capability-router/service-kit';
import { Controller, Post } from '@nestjs/common';

const RETRY_AFTER_SECONDS = 3_600;

@Controller()
export class CapabilityQueryController {
  /** Contracts are published ahead of the routing that serves them; until then nothing is run and nothing charged. */
  @Post('api/v1/capabilities/query')
  @AllowCallers('gateway')
  query(): never {
    throw new AppError(
      'service_unavailable',
      'Capability routing is not available in this release. Find a tool with POST /search and run it with POST /tools/execute.',
      { retryAfterSeconds: RETRY_AFTER_SECONDS },
    );
  }
}
