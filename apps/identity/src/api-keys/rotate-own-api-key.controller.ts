import type { AccountAssertion, ApiResponse } from '@capability-router/contracts';
import { AllowCallers, CurrentAccount, requireScope } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Param, Post } from '@nestjs/common';
import type { RotatedKey } from './api-key.responses.js';
import { KeyRotation } from './key-rotation.js';
import { requireMayGive } from './may-give.js';

/** The keys of the account that asks. */
@Controller('api/v1/auth/api-keys')
export class RotateOwnApiKeyController {
  constructor(@Inject(KeyRotation) private readonly rotation: KeyRotation) {}

  /** `{api_key_id}:rotate`. The key before may do no more than the one that asks. */
  @Post(':apiKeyIdAndAction')
  @HttpCode(201)
  @AllowCallers('gateway')
  rotate(
    @CurrentAccount() caller: AccountAssertion,
    @Param('apiKeyIdAndAction') target: string,
    @Body() body: unknown,
  ): Promise<ApiResponse<RotatedKey>> {
    requireScope(caller, 'manage');
    const { accountId } = caller;
    return this.rotation.rotate(target, body, {
      accountId,
      mayGive: (scopes, projectId) => requireMayGive(caller, scopes, projectId),
    });
  }
}
