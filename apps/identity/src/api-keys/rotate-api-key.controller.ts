import type { AccountAssertion, ApiResponse } from '@capability-router/contracts';
import { AllowCallers, CurrentAccount, requireAdmin } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Param, Post } from '@nestjs/common';
import type { RotatedKey } from './api-key.responses.js';
import { KeyRotation } from './key-rotation.js';

/** The keys of all accounts, for administrators. */
@Controller('admin/v1/api-keys')
export class RotateApiKeyController {
  constructor(@Inject(KeyRotation) private readonly rotation: KeyRotation) {}

  /** `{api_key_id}:rotate`. */
  @Post(':apiKeyIdAndAction')
  @HttpCode(201)
  @AllowCallers('gateway')
  rotate(
    @CurrentAccount() caller: AccountAssertion,
    @Param('apiKeyIdAndAction') target: string,
    @Body() body: unknown,
  ): Promise<ApiResponse<RotatedKey>> {
    requireAdmin(caller);
    return this.rotation.rotate(target, body, { askedBy: caller.apiKeyId });
  }
}
