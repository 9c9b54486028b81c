import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AllowCallers, CurrentAccount, requireAdmin } from '@capability-router/service-kit';
import { Controller, Get, Inject } from '@nestjs/common';
import { OwnerLease } from '../call/journal/owner-lease.js';
import { ToolProviders } from '../providers/tool-providers.js';

export interface TroubledProviders {
  readonly replica_id: string;
  readonly items: readonly { readonly provider_id: string; readonly breaker: 'open' | 'half_open' }[];
}

/** Shows operators which providers are left alone. */
@Controller('admin/v1')
export class BreakersController {
  constructor(
    @Inject(OwnerLease) private readonly lease: OwnerLease,
    @Inject(ToolProviders) private readonly providers: ToolProviders,
  ) {}

  /** Every replica sees for itself how its calls fare, and says which one it is. Closed breakers are left out. */
  @Get('provider-breakers')
  @AllowCallers('gateway')
  list(@CurrentAccount() caller: AccountAssertion): ApiResponse<TroubledProviders> {
    requireAdmin(caller);
    const items = this.providers
      .breakers()
      .flatMap(({ providerId, state }) => (state === 'closed' ? [] : [{ provider_id: providerId, breaker: state }]));
    return apiSuccess({ replica_id: this.lease.ownerId, items });
  }
}
