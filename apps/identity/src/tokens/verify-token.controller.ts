import { API_PREFIX, apiSuccess, internalHeaders, type ApiResponse } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';
import { AllowCallers, requireValid } from '@capability-router/service-kit';
import { Body, Controller, Header, Headers, HttpCode, Inject, Post } from '@nestjs/common';
import type { JWTPayload } from 'jose';
import { AccessTokens } from './access-tokens.js';
import { VerifyTokenRequest } from './verify-token.request.js';

const bearerPattern = /^Bearer +(\S+)$/i;

interface TokenVerification {
  /** It may be used now. */
  readonly is_valid: boolean;
  /** It was genuine, and has ended. */
  readonly is_expired: boolean;
  /** What it says; only of a token that this deployment signed. */
  readonly payload?: JWTPayload;
}

@Controller(`${API_PREFIX}/auth`)
export class VerifyTokenController {
  constructor(@Inject(AccessTokens) private readonly tokens: AccessTokens) {}

  /** Whether a JWT is good. One that is not gets an answer, not an error. */
  @Post('verify-token')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @AllowCallers('gateway')
  async verify(
    @Body() body: unknown,
    @Headers(internalHeaders.callerAuthorization) authorization: string | undefined,
  ): Promise<ApiResponse<TokenVerification>> {
    const checked = await this.tokens.check(tokenIn(body, authorization));
    if (checked.status === 'not_genuine') return apiSuccess({ is_valid: false, is_expired: false });
    const isExpired = checked.status === 'expired';
    const isValid = !isExpired && (await this.tokens.live(checked)) !== undefined;
    return apiSuccess({ is_valid: isValid, is_expired: isExpired, payload: checked.payload });
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

const missing = 'Send the token as "Authorization: Bearer <token>", or as "token" in the body.';
const detail = (type: string) => ({ type, loc: ['body', 'token'], msg: missing });
