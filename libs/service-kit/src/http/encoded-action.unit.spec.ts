import 'reflect-metadata';
import { Controller, Delete, HttpCode, Module, Param, Post } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { systemClock } from '@capability-router/kernel';
import { createMetrics } from '../observability/metrics.js';
import { generateInternalKeys } from '../tokens/generate-keys.js';
import { InternalTokens } from '../tokens/internal-tokens.js';
import { AllowCallers } from './caller-identity.js';
import { createNestApp } from './create-nest-app.js';
import { answerErrorsPlainly, createServer } from './server.js';

@Controller('keys')
class KeysController {
  @AllowCallers('gateway')
  @Post(':keyIdAndAction')
  @HttpCode(200)
  act(@Param('keyIdAndAction') target: string): object {
    return { target };
  }

  @AllowCallers('gateway')
  @Post('all::rotate')
  @HttpCode(200)
  rotateAll(): object {
    return { target: 'all' };
  }

  @AllowCallers('gateway')
  @Delete(':keyId')
  revoke(): void {}
}

@Module({ controllers: [KeysController] })
class KeysModule {}

const logger = pino({ level: 'silent' });
const servers = new Map<string, FastifyInstance>();
let authorization: string;

beforeAll(async () => {
  const { signingKeys, jwks } = generateInternalKeys();
  const tokens = await InternalTokens.create({
    service: 'gateway',
    signingKey: signingKeys.gateway,
    jwks,
    clock: systemClock,
  });
  authorization = `Bearer ${await tokens.serviceToken('gateway')}`;
  const app = await createNestApp(KeysModule, { service: 'gateway', logger, metrics: createMetrics(), tokens });
  servers.set('service', app.getHttpAdapter().getInstance());
  const gateway = createServer({ service: 'gateway', logger, metrics: createMetrics() });
  answerErrorsPlainly(gateway, logger);
  gateway.post('/keys/:keyIdAndAction', ({ params }) => ({
    target: (params as { keyIdAndAction: string }).keyIdAndAction,
  }));
  gateway.post('/keys/all::rotate', () => ({ target: 'all' }));
  gateway.delete('/keys/:keyId', () => '');
  servers.set('gateway', gateway);
});
afterAll(() => Promise.all([...servers.values()].map((server) => server.close())));

describe.each(['gateway', 'service'])('a colon before an action, at a %s', (kind) => {
  const post = async (path: string) => {
    const answer = await servers
      .get(kind)
      ?.inject({ method: 'POST', url: `/keys/${path}`, headers: { authorization } });
    return [answer?.statusCode, answer?.headers['allow'] ?? answer?.json()];
  };

  it('leads to the action as it stands', async () => {
    expect(await post('1:rotate')).toEqual([200, { target: '1:rotate' }]);
    expect(await post('all:rotate')).toEqual([200, { target: 'all' }]);
  });

  it.each(['1%3Arotate', '1%3arotate', '1%3Arotate?a=:', 'all%3Arotate'])(
    'is a part of the id where it is percent-encoded: %s',
    async (path) => {
      expect(await post(path)).toEqual([405, 'DELETE']);
    },
  );
});
