import { API_PREFIX, apiSuccess, negotiateLanguage, type ApiResponse } from '@capability-router/contracts';
import { AppError, toIso, type Clock } from '@capability-router/kernel';
import {
  AllowCallers,
  BILLING,
  CLOCK,
  COMMITTED,
  CONFIG,
  POOL,
  requireValid,
  type ServiceClient,
} from '@capability-router/service-kit';
import { Body, Controller, Headers, HttpCode, Inject, Post } from '@nestjs/common';
import type pg from 'pg';
import type { IdentityConfig } from '../config.js';
import { isDisposable } from '../email-addresses/disposable-domains.js';
import { emailAddressOf, maskEmail, type EmailAddress } from '../email-addresses/email-address.js';
import { awaitChange } from '../evictions/await-change.js';
import { CLIENT_ADDRESS_HEADER, requireClient } from '../trial-agents/client-network.js';
import { secondsUntil } from '../seconds-until.js';
import { awaitBonus, remainingCredits } from './await-claim.js';
import { StartClaimRequest, VerifyClaimRequest } from './claim.requests.js';
import {
  claimedBefore,
  emailTaken,
  noCode,
  notAnEmail,
  noTriesLeft,
  riskBlock,
  riskOfCap,
  tooSoon,
  triedTooOften,
  unknownClaim,
  wrongCode,
  type AgentClaimed,
  type AgentClaimRiskBlock,
  type AgentClaimStart,
} from './claim.responses.js';
import { startClaim } from './start-claim.js';
import { verifyClaim, type VerifyClaimResult } from './verify-claim.js';

const MS_PER_SECOND = 1_000;

/** Binds a trial to an e-mail address: a code is mailed, and whoever has it makes the trial an account. */
@Controller(`${API_PREFIX}/agent`)
export class ClaimsController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig & { readonly publicUrl: string },
    @Inject(BILLING) private readonly billing: ServiceClient,
    @Inject(COMMITTED) private readonly committed: () => void,
  ) {}

  /** Answers alike whether the address has an account or not; the mail says so. */
  @Post('claim')
  @HttpCode(200)
  @AllowCallers('gateway')
  async start(
    @Body() body: unknown,
    @Headers(CLIENT_ADDRESS_HEADER) clientAddress: string | undefined,
    @Headers('accept-language') acceptLanguage: string | undefined,
  ): Promise<ApiResponse<AgentClaimStart | AgentClaimRiskBlock>> {
    const request = requireValid(StartClaimRequest, body, { allowUnknown: true });
    const address = await requireEmail(request.email);
    const { mail, claims: policy, publicUrl: origin } = this.config;
    if (mail === undefined) return apiSuccess(riskBlock('mail_unavailable'));
    if (isDisposable(address.domain)) return apiSuccess(riskBlock('disposable_email'));
    const nowMs = this.clock.nowMs();
    const client = requireClient(clientAddress);
    const language = negotiateLanguage(request.locale ?? undefined, acceptLanguage);
    const command = { claimCode: request.claim_code, address, language, client, origin, nowMs };
    const result = await startClaim(this.pool, command, policy, mail);
    switch (result.status) {
      case 'unknown_claim':
        throw unknownClaim();
      case 'claimed_before':
        throw claimedBefore();
      case 'too_soon':
        throw tooSoon(secondsUntil(result.againAtMs, nowMs));
      case 'outbox_full':
        throw new AppError('service_unavailable', 'Too many mails wait to be sent. Try again in a minute.');
      case 'capped':
        return apiSuccess(riskBlock(riskOfCap(result.cap), secondsUntil(result.resetAtMs, nowMs)));
      case 'code_sent':
        this.committed();
        return apiSuccess({
          status: 'code_sent',
          claim_id: result.claimId,
          email_masked: maskEmail(address.email),
          expires_at: toIso(result.expiresAtMs),
          resend_after_seconds: policy.resendMs / MS_PER_SECOND,
        });
    }
  }

  /** Answers when the bonus is booked and every living replica of the gateway acts by the new rights, or says what is late. */
  @Post('claim-verify')
  @HttpCode(200)
  @AllowCallers('gateway')
  async verify(@Body() body: unknown): Promise<ApiResponse<AgentClaimed>> {
    const request = requireValid(VerifyClaimRequest, body, { allowUnknown: true });
    const address = await requireEmail(request.email);
    const { mail, claims: policy } = this.config;
    // Where no mail is sent, nobody has a code.
    if (mail === undefined) throw noCode();
    const nowMs = this.clock.nowMs();
    const terms = { policy, pepper: mail.pepper, welcomeBonus: this.config.policy.welcomeBonus };
    const command = { claimCode: request.claim_code, address, code: request.code, nowMs };
    const result = await verifyClaim(this.pool, command, terms);
    if (result.status !== 'claimed') throw refusalOf(result, nowMs);
    this.committed();
    return apiSuccess(await this.claimed(result, address, nowMs));
  }

  private async claimed(
    { accountId, claimId, bonus, change }: VerifyClaimResult & { readonly status: 'claimed' },
    { email }: EmailAddress,
    nowMs: number,
  ): Promise<AgentClaimed> {
    const [isReady, pending] = await Promise.all([
      bonus === 0n || awaitBonus(this.billing, accountId, claimId),
      awaitChange(this.pool, change, nowMs),
    ]);
    const remaining = await remainingCredits(this.billing, accountId);
    return {
      status: 'claimed',
      account_id: accountId,
      email,
      api_key_still_valid: true,
      ...(remaining === undefined ? {} : { remaining_credits: remaining }),
      ...(isReady ? {} : { credits_ready: false as const }),
      ...pending,
    };
  }
}

async function requireEmail(text: string): Promise<EmailAddress> {
  const address = await emailAddressOf(text);
  if (address === undefined) throw notAnEmail();
  return address;
}

function refusalOf(result: Exclude<VerifyClaimResult, { readonly status: 'claimed' }>, nowMs: number): AppError {
  switch (result.status) {
    case 'unknown_claim':
      return unknownClaim();
    case 'claimed_before':
      return claimedBefore();
    case 'no_code':
      return noCode();
    case 'email_taken':
      return emailTaken();
    case 'wrong_code':
      return wrongCode(result.triesLeft);
    case 'no_tries_left':
      return noTriesLeft(secondsUntil(result.againAtMs, nowMs));
    case 'capped':
      return triedTooOften(secondsUntil(result.resetAtMs, nowMs), result.codeLasts);
  }
}
