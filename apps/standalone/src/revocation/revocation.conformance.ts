import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ContextName } from '@capability-router/contracts';
import type { EventBus } from '@capability-router/event-bus';
import { createGatewayService, loadGatewayConfig } from '@capability-router/gateway';
import {
  appendOnlyTables,
  createIdentityService,
  ensureDemoAccounts,
  loadIdentityConfig,
  migrations,
  type DemoKeys,
} from '@capability-router/identity';
import { isJsonObject, parseCredits, systemClock, type JsonObject } from '@capability-router/kernel';
import {
  createLogger,
  createMetrics,
  generateInternalKeys,
  InternalTokens,
  type RunningService,
} from '@capability-router/service-kit';
import { createHttpClients } from '@capability-router/service-kit/http-clients';
import { scratchDatabasesOf, type ScratchDatabase } from '@capability-router/service-kit/testing';

const { createScratchDatabase } = scratchDatabasesOf({
  service: 'identity',
  migrations,
  appendOnlyTables,
  poolSize: 10,
});
const KEYS = 10;
/** Milliseconds; a consumer group of Kafka takes some of them to begin. */
const START_TIMEOUT_MS = 120_000;

/** Two replicas of the gateway and identity, on a bus for each (`newBus`), or on one for all. */
export function describeRevocation(stack: string, newBus: (name: string) => EventBus): void {
  describe(`on ${stack}`, () => {
    const keys = generateInternalKeys();
    const buses = new Set<EventBus>();
    let database: ScratchDatabase;
    let demo: DemoKeys;
    let identityUrl = '';
    const running: RunningService[] = [];
    const closings: (() => Promise<void>)[] = [];
    const gateways: string[] = [];

    /** A service on a port of its own, as each replica is in a deployment. */
    async function listen(name: ContextName): Promise<string> {
      const signingKey = keys.signingKeys[name];
      const tokens = await InternalTokens.create({ service: name, signingKey, jwks: keys.jwks, clock: systemClock });
      const { clients, close } = createHttpClients(
        (peer) => (peer === 'identity' && name !== peer ? [identityUrl] : undefined),
        tokens,
      );
      closings.push(close);
      const logger = createLogger(name, 'silent');
      const bus = newBus(name);
      buses.add(bus);
      const shared = {
        clock: systemClock,
        bus,
        logger,
        tokens,
        clients,
        metrics: createMetrics(),
        publicUrl: 'http://x',
      };
      const service =
        name === 'identity'
          ? await createIdentityService(loadIdentityConfig({ IDENTITY_DATABASE_URL: database.url }), {
              name,
              ...shared,
            })
          : await createGatewayService(loadGatewayConfig({ RATE_LIMIT_READ: '100000' }), { name, ...shared });
      running.push(service);
      await service.start();
      await bus.start();
      const url = await service.fastify.listen({ host: '127.0.0.1', port: 0 });
      while (service.ready().detail !== 'ready' && name === 'gateway')
        await new Promise((done) => setTimeout(done, 10));
      return url;
    }

    beforeAll(async () => {
      database = await createScratchDatabase();
      const created = await ensureDemoAccounts(database.pool, systemClock, { demoCredits: parseCredits('10') });
      if (created === undefined) throw new Error('the demo accounts were there before');
      demo = created;
      identityUrl = await listen('identity');
      gateways.push(await listen('gateway'), await listen('gateway'));
    }, START_TIMEOUT_MS);
    afterAll(async () => {
      for (const service of [...running].reverse()) await service.stop();
      for (const bus of buses) await bus.stop();
      for (const close of closings) await close();
      await database.drop();
    });

    async function send(origin: string, method: string, path: string, key: string, body?: object) {
      const response = await fetch(`${origin}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const answer: unknown = await response.json();
      const data = isJsonObject(answer) ? answer['data'] : undefined;
      return { status: response.status, data: isJsonObject(data) ? data : {} };
    }

    function textOf(data: JsonObject, member: string): string {
      const value = data[member];
      if (typeof value !== 'string') throw new Error(`no text ${member} in ${JSON.stringify(data)}`);
      return value;
    }

    const admin = (method: string, path: string, body?: object) =>
      send(gateways[0] ?? '', method, `/admin/v1${path}`, demo.adminKey, body);

    /** A key that each gateway has just found valid, and so remembers. */
    async function knownKey(): Promise<{ readonly key: string; readonly id: string }> {
      const issued = await admin('POST', `/accounts/${demo.accountId}/api-keys`, { name: 'revoked', scopes: ['read'] });
      const [key, id] = [textOf(issued.data, 'api_key'), textOf(issued.data, 'api_key_id')];
      for (const gateway of gateways) expect(await statusAt(gateway, key)).not.toBe(401);
      return { key, id };
    }

    const statusAt = async (gateway: string, key: string): Promise<number> =>
      (await send(gateway, 'GET', '/api/v1/auth/credits', key)).status;

    /** The report of a replica of the gateway about itself, as it would send it. */
    async function report(body: object): Promise<number> {
      const signingKey = keys.signingKeys.gateway;
      const tokens = await InternalTokens.create({
        service: 'gateway',
        signingKey,
        jwks: keys.jwks,
        clock: systemClock,
      });
      const response = await fetch(`${identityUrl}/internal/gateway-replicas:report`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await tokens.serviceToken('identity')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      return response.status;
    }

    describe('a revocation', () => {
      it('is answered when no gateway takes the key any more', async () => {
        for (let round = 0; round < KEYS; round += 1) {
          const { key, id } = await knownKey();
          const revoked = await admin('DELETE', `/api-keys/${id}`);
          const after = await Promise.all(gateways.map((gateway) => statusAt(gateway, key)));
          expect({ round, revoked, after }).toEqual({
            round,
            revoked: {
              status: 200,
              data: { api_key_id: id, account_id: demo.accountId, revoked_at: expect.any(String) },
            },
            after: [401, 401],
          });
        }
      });

      it('says pending after a second where a living replica is silent, and no more once that has confirmed or gone', async () => {
        const replicaId = randomUUID();
        expect(await report({ replicaId, evicted: [] })).toBe(200);
        const [first, second] = [await knownKey(), await knownKey()];
        await report({ replicaId, evicted: [] });
        expect((await admin('DELETE', `/api-keys/${first.id}`)).data).toMatchObject({ pending: true });
        // The replicas that confirmed refuse it all the same.
        expect(await Promise.all(gateways.map((gateway) => statusAt(gateway, first.key)))).toEqual([401, 401]);
        await report({ replicaId, evicted: [first.id] });
        expect((await admin('DELETE', `/api-keys/${first.id}`)).data).not.toHaveProperty('pending');
        await report({ replicaId, evicted: [], leaving: true });
        expect((await admin('DELETE', `/api-keys/${second.id}`)).data).not.toHaveProperty('pending');
      });

      it('of all keys of an erased account is answered when no gateway takes one any more', async () => {
        const opened = await admin('POST', '/accounts', { kind: 'formal', name: 'gone' });
        const accountId = textOf(opened.data, 'account_id');
        const issued = await admin('POST', `/accounts/${accountId}/api-keys`, { name: 'revoked' });
        const key = textOf(issued.data, 'api_key');
        for (const gateway of gateways) expect(await statusAt(gateway, key)).not.toBe(401);
        const erased = await admin('DELETE', `/accounts/${accountId}`);
        expect(erased).toEqual({ status: 200, data: { account_id: accountId, erased_at: expect.any(String) } });
        expect(await Promise.all(gateways.map((gateway) => statusAt(gateway, key)))).toEqual([401, 401]);
      });

      it('of what a key or an account may do is answered when every gateway acts by it', async () => {
        const opened = await admin('POST', '/accounts', { kind: 'formal', name: 'changing' });
        const accountId = textOf(opened.data, 'account_id');
        const issued = await admin('POST', `/accounts/${accountId}/api-keys`, { name: 'k', scopes: ['call'] });
        const [key, id] = [textOf(issued.data, 'api_key'), textOf(issued.data, 'api_key_id')];
        const atAll = (): Promise<number[]> => Promise.all(gateways.map((gateway) => statusAt(gateway, key)));
        expect(await atAll()).toEqual([403, 403]);
        const granted = await admin('POST', `/api-keys/${id}/scopes`, { scopes: ['read'] });
        expect([granted.data['pending'], (await atAll()).includes(403)]).toEqual([undefined, false]);
        const suspended = await admin('POST', `/accounts/${accountId}:suspend`);
        expect([suspended.data, await atAll()]).toEqual([
          { account_id: accountId, state: 'suspended', changed: true },
          [401, 401],
        ]);
        const resumed = await admin('POST', `/accounts/${accountId}:resume`);
        expect([resumed.data['pending'], (await atAll()).includes(401)]).toEqual([undefined, false]);
        const replicaId = randomUUID();
        await report({ replicaId, evicted: [] });
        expect((await admin('POST', `/accounts/${accountId}:block`)).data).toMatchObject({ pending: true });
        await report({ replicaId, evicted: [], leaving: true });
        expect((await admin('POST', `/accounts/${accountId}:block`)).data).not.toHaveProperty('pending');
      });

      it('waits for reports of the gateway only, and refuses what is none', async () => {
        expect(await report({ replicaId: 'x', evicted: [] })).toBe(422);
        expect(await report({ replicaId: randomUUID(), evicted: ['x'.repeat(65)] })).toBe(422);
        expect(await report({ replicaId: randomUUID(), evicted: Array.from({ length: 501 }, () => 'x') })).toBe(422);
      });
    });
  });
}
