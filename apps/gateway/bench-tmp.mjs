import { createRequire } from 'node:module';
import { fork } from 'node:child_process';
import { pino } from 'pino';
import { writeFileSync } from 'node:fs';
import { createNestApp, createMetrics, InternalTokens, generateInternalKeys, createHttpClients, AllowCallers, InternalTokens as _ } from '@capability-router/service-kit';
import { createGatewayService, loadGatewayConfig } from '@capability-router/gateway';
import { Controller, Module, Post } from '@nestjs/common';
import inspector from 'node:inspector';
const session = new inspector.Session(); session.connect();
process.on('SIGUSR2', () => session.post('Profiler.enable', () => session.post('Profiler.start', () => setTimeout(() => session.post('Profiler.stop', (e, r) => writeFileSync(`/tmp/edge/bench/prof/${process.argv[2]}.json`, JSON.stringify(r.profile))), 6000))));
const clock = { nowMs: () => Date.now() };
process.on('SIGTERM', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
const role = process.argv[2];
const logger = pino({ level: 'silent' });
if (role === 'upstream') {
  const keys = JSON.parse(process.env.KEYS);
  const tokens = await InternalTokens.create({ service: 'execution', signingKey: keys.signingKeys.execution, jwks: keys.jwks, clock });
  class C { run(body) { return { execution_id: 'exec_1', success: true, result: { data: [1,2,3] }, billing: { summary: 'x', list_amount_credits: 1 } }; } }
  Controller('api/v1/tools')(C);
  const d = Object.getOwnPropertyDescriptor(C.prototype, 'run');
  Post('execute')(C.prototype, 'run', d); AllowCallers('gateway')(C.prototype, 'run', d);
  class M {} ; Module({ controllers: [C] })(M);
  const app = await createNestApp(M, { service: 'execution', logger, metrics: createMetrics(), tokens });
  await app.getHttpAdapter().getInstance().listen({ host: '127.0.0.1', port: 7601 });
} else if (role === 'gateway') {
  const keys = JSON.parse(process.env.KEYS);
  const tokens = await InternalTokens.create({ service: 'gateway', signingKey: keys.signingKeys.gateway, jwks: keys.jwks, clock });
  const { clients } = createHttpClients(() => ['http://127.0.0.1:7601'], tokens);
  clients.identity = { request: async (r) => { const { credential } = JSON.parse(r.body); return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ valid: true, assertion: { accountId: credential, accountKind: 'formal', credentialType: 'api_key', apiKeyId: credential, scopes: [] } })) }; } };
  const env = process.env.RL_REDIS ? { REDIS_URL: process.env.RL_REDIS } : {};
  const service = await createGatewayService(loadGatewayConfig({ RATE_LIMIT_CALL: '1000000', ...env }), { name: 'gateway', clock, logger, tokens, clients, metrics: createMetrics(), publicUrl: 'http://x',
    bus: { broadcastListener: () => ({ listen: async () => {}, close: async () => {} }) } });
  await service.start();
  await service.fastify.listen({ host: '127.0.0.1', port: 7600 });
} else {
  const keys = generateInternalKeys();
  const env = { ...process.env, KEYS: JSON.stringify(keys) };
  const kids = ['upstream', 'gateway'].map((r) => fork(import.meta.filename, [r], { env, execArgv: process.env.PROF ? ['--cpu-prof', '--cpu-prof-dir=/tmp/edge/bench/prof'] : [] }));
  const tokens = await InternalTokens.create({ service: 'gateway', signingKey: keys.signingKeys.gateway, jwks: keys.jwks, clock });
  writeFileSync('/tmp/edge/bench/token', await tokens.serviceToken());
  writeFileSync('/tmp/edge/bench/assertion', await tokens.signAssertion({ accountId: 'a', accountKind: 'formal', credentialType: 'api_key', apiKeyId: 'k', scopes: [] }));
  setTimeout(() => { for (const k of kids) k.kill(); process.exit(0); }, Number(process.argv[2] ?? 45) * 1000);
}
