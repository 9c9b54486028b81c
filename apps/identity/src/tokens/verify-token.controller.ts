import { API_PREFIX, apiSuccess, internalHeaders, type ApiResponse } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';
import { AllowCallers, requireValid } from '@capability-router/service-kit';
import { Body, Controller, Header, Headers, HttpCode, Inject, Post } from '@nestjs/common';
import type { JWTPayload } from 'jose';
import { ExternalCredentials } from '../external-issuers/external-credentials.js';
import { ExternalTokens } from '../external-issuers/external-tokens.js';
import { AccessTokens } from './access-tokens.js';
import { VerifyTokenRequest } from './verify-token.request.js';

const bearerPattern = /^Bearer +(\S+)$/i;

interface TokenVerification {
  /** It may be used now. */
  readonly is_valid: boolean;
  /** It was genuine, and has ended. */
  readonly is_expired: boolean;
  /** The claims; only of a token that this deployment, or an issuer that it trusts, signed. */
  readonly payload?: JWTPayload;
}

@Controller(`${API_PREFIX}/auth`)
export class VerifyTokenController {
  constructor(
    @Inject(AccessTokens) private readonly tokens: AccessTokens,
    @Inject(ExternalTokens) private readonly externalTokens: ExternalTokens,
    @Inject(ExternalCredentials) private readonly external: ExternalCredentials,
  ) {}

  /**
   * Whether a JWT is good, of ours or of an issuer that the deployment trusts. One that is not gets an answer, not an error.
   * Throws 503 where the issuer would have to be asked for a key and does not answer.
   */
  @Post('verify-token')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @AllowCallers('gateway')
  async verify(
    @Body() body: unknown,
    @Headers(internalHeaders.callerAuthorization) authorization: string | undefined,
  ): Promise<ApiResponse<TokenVerification>> {
    const token = tokenIn(body, authorization);
    return apiSuccess(await (this.externalTokens.areOf(token) ? this.judgeExternal(token) : this.judgeOwn(token)));
  }

  private async judgeOwn(token: string): Promise<TokenVerification> {
    const checked = await this.tokens.check(token);
    if (checked.status === 'not_genuine') return notGenuine;
    if (checked.status === 'expired') return expired(checked.payload);
    const isValid = (await this.tokens.live(checked)) !== undefined;
    return { is_valid: isValid, is_expired: false, payload: checked.payload };
  }

  private async judgeExternal(text: string): Promise<TokenVerification> {
    const checked = await this.externalTokens.check(text);
    if (checked.status === 'undecided') throw new AppError('service_unavailable', issuerAway);
    if (checked.status === 'not_genuine') return notGenuine;
    if (checked.status === 'expired') return expired(checked.payload);
    const isValid = await this.external.isUsable(checked.token);
    return { is_valid: isValid, is_expired: false, payload: checked.token.payload };
  }
}

/** Throws 422 where there is none, or two that differ. */
function tokenIn(body: unknown, authorization: string | undefined): string {
  const inHeader = authorization === undefined ? undefined : bearerPattern.exec(authorization)?.[1];
  const request = body === undefined || body === null ? {} : requireValid(VerifyTokenRequest, body);
  const inBody = request.token ?? undefined;
  const token = inHeader ?? inBody;
  if (token === undefined) throw new AppError('validation_error', missing, { details: [detail('missing')] });
  if (inBody !== undefined && inBody !== token) {
    throw new AppError('validation_error', 'The header and the body hold different tokens. Send one.', {
      details: [detail('value_error')],
    });
  }
  return token;
}

const notGenuine: TokenVerification = { is_valid: false, is_expired: false };
const expired = (payload: JWTPayload): TokenVerification => ({ is_valid: false, is_expired: true, payload });
const issuerAway = 'The keys of the issuer of this token cannot be read. Try again after Retry-After.';
const missing = 'Send the token as "Authorization: Bearer <token>", or as "token" in the body.';
const detail = (type: string) => ({
  type,
  loc: ['body', 'token'],
  msg: missing,
  allowed: { type: 'string' },
});
