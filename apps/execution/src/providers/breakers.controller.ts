import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import type { BreakerReport } from '@capability-router/provider-kit';
import { AllowCallers, CurrentAccount, requireAdmin } from '@capability-router/service-kit';
import { Controller, Get, Inject } from '@nestjs/common';

/** Injection token of `BreakersContext`. */
export const BREAKERS = Symbol('breakers of providers');

export interface BreakersContext {
  /** The id of this process; every replica sees for itself how its calls fare. */
  readonly replicaId: string;
  readonly breakers: () => readonly BreakerReport[];
}

export interface TroubledProviders {
  readonly replica_id: string;
  readonly items: readonly { readonly provider_id: string; readonly breaker: 'open' | 'half_open' }[];
}

/** Which providers are left alone, for operators. */
@Controller('admin/v1')
export class BreakersController {
  constructor(@Inject(BREAKERS) private readonly context: BreakersContext) {}

  /** By the replica that answers; closed breakers are left out. */
  @Get('provider-breakers')
  @AllowCallers('gateway')
  list(@CurrentAccount() caller: AccountAssertion): ApiResponse<TroubledProviders> {
    requireAdmin(caller);
    const { replicaId, breakers } = this.context;
    const items = breakers().flatMap(({ providerId, state }) =>
      state === 'closed' ? [] : [{ provider_id: providerId, breaker: state }],
    );
    return apiSuccess({ replica_id: replicaId, items });
  }
}
