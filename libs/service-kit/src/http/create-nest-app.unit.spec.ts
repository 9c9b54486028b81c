import 'reflect-metadata';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Body, Controller, Get, HttpCode, Module, Post, Res } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { pino } from 'pino';
import type { AccountAssertion } from '@capability-router/contracts';
import { AppError, systemClock } from '@capability-router/kernel';
import { createMetrics } from '../observability/metrics.js';
import { generateInternalKeys } from '../tokens/generate-keys.js';
import { InternalTokens } from '../tokens/internal-tokens.js';
import { requireValid } from '../validation/validate-body.js';
import { AllowCallers, CurrentAccount } from './caller-identity.js';
import { createNestApp } from './create-nest-app.js';
import { requireScope } from './require-scope.js';

class Question {
  @IsString()
  text: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number;
}

@Controller()
class TestController {
  @AllowCallers('gateway')
  @Post('api/v1/questions')
  @HttpCode(200)
  ask(@Body() body: unknown): object {
    return { asked: requireValid(Question, body).text };
  }

  @AllowCallers('gateway')
  @Get('api/v1/me')
  me(@CurrentAccount() account: AccountAssertion): object {
    return { account: account.accountId };
  }

  @AllowCallers('execution', 'billing')
  @Post('internal/holds::place')
  @HttpCode(200)
  hold(): object {
    return { held: true };
  }

  @Get('internal/unlisted')
  unlisted(): object {
    return { secret: true };
  }

  @AllowCallers('gateway')
  @Get('api/v1/breaking-off')
  async breakingOff(@Res() reply: FastifyReply): Promise<void> {
    const file = new PassThrough();
    void reply.header('content-type', 'text/csv').send(file);
    file.write('a,b\n');
    while (!reply.raw.headersSent) await setImmediate();
    throw new Error('the caller hung up');
  }

  @AllowCallers('gateway')
  @Post('api/v1/things/:id')
  manage(@CurrentAccount() account: AccountAssertion): void {
    requireScope(account, 'manage');
  }

  @AllowCallers('gateway')
  @Get('api/v1/broken')
  broken(): object {
    throw new Error('the password is hunter2');
  }

  @AllowCallers('gateway')
  @Get('api/v1/limited')
  limited(): object {
    throw new AppError('rate_limited', 'Too fast.', {
      retryAfterSeconds: 7,
      rateLimit: { policy: 'registration', limit: 5, endsAtMs: 1_700_000_000_500 },
    });
  }
}

@Module({ controllers: [TestController] })
class TestModule {}

describe('a Nest application of the service kit', () => {
  const keys = generateInternalKeys();
  const account: AccountAssertion = {
    accountId: 'acc_1',
    accountKind: 'formal',
    credentialType: 'api_key',
    scopes: [],
  };
  const logs: string[] = [];
  let fastify: FastifyInstance;
  let gateway: Record<string, string>;
  let billing: Record<string, string>;
  let assertion: string;

  const tokensOf = (service: 'gateway' | 'billing') =>
    InternalTokens.create({ service, signingKey: keys.signingKeys[service], jwks: keys.jwks, clock: systemClock });

  beforeAll(async () => {
    const gatewayTokens = await tokensOf('gateway');
    const billingTokens = await tokensOf('billing');
    gateway = { authorization: `Bearer ${await gatewayTokens.serviceToken('billing')}` };
    billing = { authorization: `Bearer ${await billingTokens.serviceToken('billing')}` };
    assertion = await gatewayTokens.signAssertion(account);
    const app = await createNestApp(TestModule, {
      service: 'billing',
      logger: pino({ level: 'warn' }, { write: (line) => logs.push(line) }),
      metrics: createMetrics(),
      tokens: billingTokens,
    });
    fastify = app.getHttpAdapter().getInstance();
  });

  afterAll(async () => {
    await fastify.close();
  });

  const post = (url: string, payload: string | object, headers: Record<string, string>) =>
    fastify.inject({
      method: 'POST',
      url,
      headers: typeof payload === 'string' ? { 'content-type': 'application/json', ...headers } : headers,
      payload,
    });

  it('serves a listed caller and refuses everybody else', async () => {
    expect((await post('/internal/holds:place', {}, billing)).json()).toEqual({ held: true });
    expect((await post('/internal/holds:place', {}, gateway)).statusCode).toBe(403);
    expect((await post('/internal/holds:place', {}, {})).statusCode).toBe(401);
    expect((await post('/internal/holds:place', {}, { authorization: 'Bearer x.y.z' })).statusCode).toBe(401);
  });

  it('refuses a route that lists no callers', async () => {
    const response = await fastify.inject({ url: '/internal/unlisted', headers: gateway });
    expect(response.statusCode).toBe(403);
    expect(response.json()).toEqual({
      status: 'failure',
      message: expect.stringContaining('gateway'),
      code: 'forbidden',
    });
  });

  it('writes one line into the security log for each request that it forbids, with nothing of its body or tokens', async () => {
    logs.length = 0;
    const headers = { ...gateway, 'x-account-assertion': assertion, 'x-request-id': 'r-1' };
    expect((await post('/api/v1/things/7?key=hunter2', { note: 'hunter2' }, headers)).statusCode).toBe(403);
    expect((await post('/internal/holds:place', { note: 'hunter2' }, gateway)).statusCode).toBe(403);
    expect((await post('/internal/holds:place', {}, {})).statusCode).toBe(401);
    const lines = logs.map((line) => JSON.parse(line) as Record<string, unknown>);
    const forbidden = { log: 'security', caller: 'gateway', clientAddress: '127.0.0.1', method: 'POST' };
    expect(lines).toEqual([
      expect.objectContaining({
        ...forbidden,
        requestId: 'r-1',
        accountId: 'acc_1',
        path: '/api/v1/things/:id',
        scope: 'manage',
      }),
      expect.objectContaining({ ...forbidden, requestId: expect.anything(), path: '/internal/holds::place' }),
    ]);
    expect(logs.join()).not.toMatch(/hunter2|Bearer|eyJ/);
  });

  it('hands the account over only when the gateway vouches for it', async () => {
    const headers = { ...gateway, 'x-account-assertion': assertion };
    expect((await fastify.inject({ url: '/api/v1/me', headers })).json()).toEqual({ account: 'acc_1' });
    expect((await fastify.inject({ url: '/api/v1/me', headers: gateway })).statusCode).toBe(401);
    const billingTokens = await tokensOf('billing');
    const forged = { ...gateway, 'x-account-assertion': await billingTokens.signAssertion(account) };
    expect((await fastify.inject({ url: '/api/v1/me', headers: forged })).statusCode).toBe(401);
  });

  it('answers bodies it cannot take with 400, 413, 415 and 422, each with a message', async () => {
    const answers = {
      broken: await post('/api/v1/questions', '{"text":', gateway),
      empty: await post('/api/v1/questions', '', gateway),
      large: await post('/api/v1/questions', JSON.stringify({ text: 'x'.repeat(1_100_000) }), gateway),
      form: await post('/api/v1/questions', 'a=b', { ...gateway, 'content-type': 'application/x-www-form-urlencoded' }),
      plain: await post('/api/v1/questions', 'hello', { ...gateway, 'content-type': 'text/plain' }),
      deep: await post('/api/v1/questions', `{"text":${'['.repeat(15_000)}${']'.repeat(15_000)}}`, gateway),
      list: await post('/api/v1/questions', '[]', gateway),
    };
    const statuses = Object.entries(answers).map(([name, answer]) => [name, answer.statusCode]);
    expect(Object.fromEntries(statuses)).toEqual({
      broken: 400,
      empty: 400,
      large: 413,
      form: 415,
      plain: 415,
      deep: 400,
      list: 422,
    });
    for (const answer of Object.values(answers)) {
      expect(answer.json()).toMatchObject({ status: 'failure', message: expect.stringMatching(/.+/) });
    }
  });

  it('drops __proto__ instead of polluting or failing', async () => {
    const answer = await post('/api/v1/questions', '{"text":"a","__proto__":{"limit":1}}', gateway);
    expect(answer.json()).toEqual({ asked: 'a' });
  });

  it('names the fields of an invalid body', async () => {
    const answer = await post('/api/v1/questions', { limit: 1_000, nope: 1 }, gateway);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toEqual(
      expect.arrayContaining([
        { type: 'missing', loc: ['body', 'text'], msg: 'Field required', allowed: { type: 'string' } },
        expect.objectContaining({ type: 'less_than_equal', loc: ['body', 'limit'], input: 1_000 }),
        expect.objectContaining({ type: 'extra_forbidden', loc: ['body', 'nope'] }),
      ]),
    );
  });

  it('tells an unknown path from an unknown method', async () => {
    const unknown = await fastify.inject({ url: '/api/v1/nothing', headers: gateway });
    expect([unknown.statusCode, unknown.json().status]).toEqual([404, 'failure']);
    const method = await fastify.inject({ url: '/api/v1/questions?x=1', headers: gateway });
    expect([method.statusCode, method.headers['allow']]).toEqual([405, 'POST']);
    expect((await fastify.inject({ url: '/api/v1/%zz', headers: gateway })).statusCode).toBe(400);
  });

  it('ends an answer early that fails on its way, and says so in the log alone', async () => {
    const url = `${await fastify.listen({ host: '127.0.0.1', port: 0 })}/api/v1/breaking-off`;
    logs.length = 0;
    await expect(fetch(url, { headers: gateway }).then((answer) => answer.text())).rejects.toThrow();
    expect(logs).toEqual([expect.stringContaining('an answer broke off')]);
    expect(logs[0]).toContain('the caller hung up');
  });

  it('never shows what went wrong inside', async () => {
    const answer = await fastify.inject({ url: '/api/v1/broken', headers: gateway });
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toMatch(/hunter2|at .*\.ts/);
    expect(answer.json().message).toContain('X-Request-Id');
  });

  it('answers a rate limit in its exact shape', async () => {
    const answer = await fastify.inject({ url: '/api/v1/limited', headers: gateway });
    expect(answer.statusCode).toBe(429);
    expect(answer.headers).toMatchObject({
      'retry-after': '7',
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1700000001',
      'ratelimit-policy': '"registration";q=5',
      ratelimit: '"registration";r=0;t=7',
    });
    expect(answer.json()).toEqual({
      status: 'failure',
      status_code: 429,
      message: 'Too fast.',
      code: 'rate_limited',
      data: null,
    });
  });

  it('keeps a valid request id and replaces an invalid one', async () => {
    const kept = await fastify.inject({ url: '/livez', headers: { 'x-request-id': 'abc-1' } });
    expect(kept.headers['x-request-id']).toBe('abc-1');
    const replaced = await fastify.inject({ url: '/livez', headers: { 'x-request-id': 'a b' } });
    expect(replaced.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('says on every answer which service it is, errors and probes included', async () => {
    for (const url of ['/api/v1/me', '/api/v1/nothing', '/api/v1/%zz', '/api/v1/broken', '/livez', '/readyz']) {
      const { headers } = await fastify.inject({ url, headers: gateway });
      expect([url, headers['x-answered-by']]).toEqual([url, 'billing']);
    }
    expect((await fastify.inject({ url: '/api/v1/me' })).headers['x-answered-by']).toBe('billing');
  });

  it('is not ready until whoever runs it says so', async () => {
    expect((await fastify.inject({ url: '/readyz' })).statusCode).toBe(503);
    fastify.readiness.current = () => ({ ready: true, detail: 'ok' });
    expect((await fastify.inject({ url: '/readyz' })).statusCode).toBe(200);
  });
});
