import { API_PREFIX, internalHeaders } from '@capability-router/contracts';
import { AllowCallers, POOL } from '@capability-router/service-kit';
import { Body, Controller, Header, Headers, HttpCode, Inject, Post, UseFilters } from '@nestjs/common';
import type pg from 'pg';
import { authenticateClient, requireGrantType } from '../tokens/authenticate-client.js';
import { Form } from '../tokens/form.js';
import type { TokenAnswer } from '../tokens/grant.js';
import { OAuthError } from '../tokens/oauth-error.js';
import { OAuthErrorFilter } from '../tokens/oauth-error.filter.js';
import { Grants } from './grants.js';

/** Where tokens are had. The body is a form, and answers are never kept by anybody. */
@Controller(`${API_PREFIX}/oauth`)
@UseFilters(OAuthErrorFilter)
export class TokenController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(Grants) private readonly grants: Grants,
  ) {}

  @Post('token')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @AllowCallers('gateway')
  async token(
    @Body() body: unknown,
    @Headers(internalHeaders.callerAuthorization) authorization: string | undefined,
  ): Promise<TokenAnswer> {
    const form = await Form.read(body);
    const grant = this.grants.of(form.need('grant_type'));
    if (grant === undefined) {
      throw new OAuthError('unsupported_grant_type', `Use one of the grant types: ${this.grants.names.join(', ')}.`);
    }
    const client = await authenticateClient(this.pool, form, authorization);
    requireGrantType(client, grant.grantType);
    return grant.answer(form, client);
  }
}
