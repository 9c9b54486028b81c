import type { AccountAssertion, ApiResponse } from '@capability-router/contracts';
import { AllowCallers, CurrentAccount, POOL, requireScope } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Param, Post } from '@nestjs/common';
import type pg from 'pg';
import type { RotatedKey } from './api-key.responses.js';
import { keyExpiry } from './key-expiry.js';
import { KeyRotation } from './key-rotation.js';
import { requireEndsNoLater, requireMayGive } from './may-give.js';

/** The keys of the account that asks. */
@Controller('api/v1/auth/api-keys')
export class RotateOwnApiKeyController {
  constructor(
    @Inject(KeyRotation) private readonly rotation: KeyRotation,
    @Inject(POOL) private readonly pool: pg.Pool,
  ) {}

  /** `{api_key_id}:rotate`. The key before may do no more than the one that asks, and ends no later. */
  @Post(':apiKeyIdAndAction')
  @HttpCode(201)
  @AllowCallers('gateway')
  async rotate(
    @CurrentAccount() caller: AccountAssertion,
    @Param('apiKeyIdAndAction') target: string,
    @Body() body: unknown,
  ): Promise<ApiResponse<RotatedKey>> {
    requireScope(caller, 'manage');
    const { accountId } = caller;
    const ownEndMs = await keyExpiry(this.pool, caller.apiKeyId);
    return this.rotation.rotate(target, body, {
      accountId,
      askedBy: caller.apiKeyId,
      mayGive: ({ scopes, projectId, expiresAtMs }) => {
        requireMayGive(caller, scopes, projectId);
        requireEndsNoLater(expiresAtMs, ownEndMs);
      },
    });
  }
}
