import { API_PREFIX, apiSuccess, type ApiResponse } from '@capability-router/contracts';
import { AppError, type Clock } from '@capability-router/kernel';
import {
  AllowCallers,
  BILLING,
  CLOCK,
  COMMITTED,
  CONFIG,
  requireValid,
  type ServiceClient,
} from '@capability-router/service-kit';
import { Body, Controller, Headers, HttpCode, Inject, Post } from '@nestjs/common';
import { awaitGrant } from '../accounts/await-grant.js';
import type { IdentityConfig } from '../config.js';
import { secondsUntil } from '../seconds-until.js';
import { CLIENT_ADDRESS_HEADER, requireClient } from './client-network.js';
import { RegisterTrialAgentRequest } from './register-trial-agent.request.js';
import { toRegisterTrialAgentData, type RegisterTrialAgentData } from './register-trial-agent.response.js';
import { TrialRegistrations } from './trial-registrations.js';

@Controller(`${API_PREFIX}/agent`)
export class RegisterTrialAgentController {
  constructor(
    @Inject(TrialRegistrations) private readonly registrations: TrialRegistrations,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig,
    @Inject(BILLING) private readonly billing: ServiceClient,
    @Inject(COMMITTED) private readonly committed: () => void,
  ) {}

  @Post('anonymous-register')
  @HttpCode(200)
  @AllowCallers('gateway')
  async register(
    @Body() body: unknown,
    @Headers(CLIENT_ADDRESS_HEADER) address: string | undefined,
  ): Promise<ApiResponse<RegisterTrialAgentData>> {
    const request = requireValid(RegisterTrialAgentRequest, body, { allowUnknown: true });
    const { policy } = this.config;
    const nowMs = this.clock.nowMs();
    const { agent_name: agentName, model, purpose } = request;
    const client = requireClient(address);
    const optional = { ...(model ? { model } : {}), ...(purpose ? { purpose } : {}) };
    const result = await this.registrations.register({ agentName, ...optional, client, nowMs });
    if (result.status === 'capped') {
      const retryAfterSeconds = secondsUntil(result.resetAtMs, nowMs);
      const rateLimit = { policy: 'registration', limit: Number(result.allowed), endsAtMs: result.resetAtMs };
      throw new AppError('rate_limited', undefined, { retryAfterSeconds, rateLimit });
    }
    this.committed();
    const { agent } = result;
    const isReady = await awaitGrant(this.billing, agent.accountId, { amount: agent.trialCredits });
    return apiSuccess(toRegisterTrialAgentData(agent, policy.maxCallCredits, isReady));
  }
}
