import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { toIso } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount, requireAdmin } from '@capability-router/service-kit';
import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { SigningKeys } from './signing-keys.js';

interface RotatedKey {
  readonly key_id: string;
  /** Tokens are signed with it from then on; until then readers of the published keys learn of it. */
  readonly signs_from: string;
}

/** The key that signs, for administrators. */
@Controller('admin/v1')
export class SigningKeysController {
  constructor(@Inject(SigningKeys) private readonly keys: SigningKeys) {}

  /** Makes a successor of the signing key; while one waits to sign, answers with that one. */
  // The router takes `::` for a literal colon.
  @Post('oauth-signing-keys::rotate')
  @HttpCode(200)
  @AllowCallers('gateway')
  async rotate(@CurrentAccount() caller: AccountAssertion): Promise<ApiResponse<RotatedKey>> {
    requireAdmin(caller);
    const { keyId, signsFromMs } = await this.keys.rotate();
    return apiSuccess({ key_id: keyId, signs_from: toIso(signsFromMs) });
  }
}
