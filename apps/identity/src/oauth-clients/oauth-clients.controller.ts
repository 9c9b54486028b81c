import { apiSuccess, oauthGrantTypes, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, toIso, type Clock } from '@capability-router/kernel';
import {
  AllowCallers,
  CLOCK,
  COMMITTED,
  CurrentAccount,
  inTransaction,
  POOL,
  requireAdmin,
  requireValid,
} from '@capability-router/service-kit';
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type pg from 'pg';
import { awaitEviction } from '../evictions/await-eviction.js';
import { isClientId } from './client-id.js';
import { authMethodOf, defaultGrantTypes, isGrantOf, type ClientAuthMethod } from './client-kinds.js';
import { ListClientsQuery } from './list-clients.query.js';
import { oauthClientsIn } from './oauth-clients-in.js';
import { MAX_CLIENTS_PER_ACCOUNT, registerClient, type RegisterClientResult } from './register-client.js';
import { RegisterClientRequest } from './register-client.request.js';
import { revokeClient } from './revoke-client.js';

/** Revoked ones among them; an account can have `MAX_CLIENTS_PER_ACCOUNT` that are not. */
const MAX_CLIENTS_LISTED = 200;

interface ClientFacts {
  readonly client_id: string;
  readonly account_id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly token_endpoint_auth_method: ClientAuthMethod;
  readonly grant_types: readonly string[];
  readonly created_at: string;
}
interface RegisteredClient extends ClientFacts {
  /** Shown this once; a public client has none. */
  readonly client_secret?: string;
}
interface ClientList {
  readonly items: readonly (ClientFacts & { readonly revoked_at?: string })[];
}
interface RevokedClient {
  readonly client_id: string;
  readonly account_id: string;
  readonly revoked_at: string;
  /** Not every replica of the gateway has confirmed that it refuses the client's tokens. */
  readonly pending?: true;
}

/** Clients that may ask for tokens, by themselves or for those who consent, as administrators register them. */
@Controller('admin/v1/oauth-clients')
export class OAuthClientsController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
  ) {}

  @Post()
  @HttpCode(201)
  @AllowCallers('gateway')
  async register(
    @CurrentAccount() caller: AccountAssertion,
    @Body() body: unknown,
  ): Promise<ApiResponse<RegisteredClient>> {
    requireAdmin(caller);
    const request = requireValid(RegisterClientRequest, body);
    const { account_id: accountId, name, scopes, token_endpoint_auth_method: authMethod } = request;
    const grantTypes = request.grant_types ?? defaultGrantTypes[authMethod];
    if (!grantTypes.every((grantType) => isGrantOf(authMethod, grantType))) throw publicAlone();
    const nowMs = this.clock.nowMs();
    const askedBy = caller.apiKeyId;
    const command = { accountId, name, scopes, authMethod, grantTypes, askedBy, nowMs };
    const result = await inTransaction(this.pool, (tx) => registerClient(tx, command));
    if (result.status !== 'registered') throw refusalOf(result.status);
    this.committed();
    return apiSuccess({
      client_id: result.clientId,
      ...(result.clientSecret === undefined ? {} : { client_secret: result.clientSecret }),
      account_id: accountId,
      name,
      scopes,
      token_endpoint_auth_method: authMethod,
      grant_types: grantTypes,
      created_at: toIso(nowMs),
    });
  }

  /** The newest first, those that are not revoked before the others. */
  @Get()
  @AllowCallers('gateway')
  async list(@CurrentAccount() caller: AccountAssertion, @Query() query: unknown): Promise<ApiResponse<ClientList>> {
    requireAdmin(caller);
    const { account_id: accountId } = requireValid(ListClientsQuery, query, { location: 'query' });
    const clients = await oauthClientsIn(this.pool);
    const found = await clients.find({
      where: { accountId },
      order: { revokedAt: { direction: 'DESC', nulls: 'FIRST' }, clientId: 'DESC' },
      take: MAX_CLIENTS_LISTED,
    });
    const items = found.map((client) => ({
      client_id: client.clientId,
      account_id: client.accountId,
      name: client.name,
      scopes: client.scopes,
      token_endpoint_auth_method: authMethodOf(client),
      grant_types: client.grantTypes,
      created_at: client.registeredAt.toISOString(),
      ...(client.revokedAt === null ? {} : { revoked_at: client.revokedAt.toISOString() }),
    }));
    return apiSuccess({ items });
  }

  /** Ends the client and its tokens. Answers when no living gateway takes them any more, or after a second with `pending`. */
  @Delete(':clientId')
  @AllowCallers('gateway')
  async revoke(
    @CurrentAccount() caller: AccountAssertion,
    @Param('clientId') clientId: string,
  ): Promise<ApiResponse<RevokedClient>> {
    requireAdmin(caller);
    if (!isClientId(clientId)) throw new AppError('not_found');
    const nowMs = this.clock.nowMs();
    const result = await inTransaction(this.pool, (tx) => revokeClient(tx, clientId, nowMs));
    if (result.status === 'unknown_client') throw new AppError('not_found');
    if (result.status === 'revoked') this.committed();
    const evicted = await awaitEviction(this.pool, clientId, { revokedAtMs: result.revokedAtMs, nowMs });
    return apiSuccess({
      client_id: clientId,
      account_id: result.accountId,
      revoked_at: toIso(result.revokedAtMs),
      ...(evicted ? {} : { pending: true as const }),
    });
  }
}

const publicAlone = (): AppError => {
  const msg = 'a client without a secret cannot use client_credentials or token exchange';
  return new AppError('validation_error', `"grant_types" is invalid: ${msg}`, {
    details: [
      {
        type: 'value_error',
        loc: ['body', 'grant_types'],
        msg,
        allowed: { items: { enum: oauthGrantTypes.filter((name) => isGrantOf('none', name)) } },
      },
    ],
  });
};

const refusals = {
  unknown_account: () => new AppError('not_found'),
  account_not_active: () => new AppError('conflict', 'The account is not active.'),
  too_many_clients: () =>
    new AppError('conflict', `The account has ${MAX_CLIENTS_PER_ACCOUNT} clients. Revoke one first.`),
};
const refusalOf = (status: Exclude<RegisterClientResult['status'], 'registered'>): AppError => refusals[status]();
