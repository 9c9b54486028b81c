import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames } from '@capability-router/contracts';
import { EmbeddedEventBus } from '@capability-router/event-bus';
import { appendToStream, eventTableSource } from '@capability-router/event-store';
import { creditsFromMicro, newAccountId, newExecutionId, systemClock, toIso } from '@capability-router/kernel';
import {
  createLogger,
  createMetrics,
  generateInternalKeys,
  InternalTokens,
  type RunningService,
} from '@capability-router/service-kit';
import { createHttpClients } from '@capability-router/service-kit/http-clients';
import { loadBillingConfig } from './config.js';
import { createBillingService } from './create-billing-service.js';
import { accountOpened } from './test-support/events.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from './test-support/scratch-database.js';

const HOUR_MS = 3_600_000;
/** Seconds that a slow machine may take between an act and the question when it was. */
const SLACK_SECONDS = 600;
const keys = generateInternalKeys();
const tokensOf = (service: 'billing' | 'execution' | 'gateway') =>
  InternalTokens.create({ service, signingKey: keys.signingKeys[service], jwks: keys.jwks, clock: systemClock });

describe.each([HOUR_MS, -HOUR_MS])('billing on a machine whose clock is off by %d ms', (skewMs) => {
  let database: ScratchDatabase;
  let service: RunningService;
  let bus: EmbeddedEventBus;
  let close: () => Promise<void>;
  const accountId = newAccountId(systemClock.nowMs());

  beforeAll(async () => {
    database = await createScratchDatabase();
    bus = new EmbeddedEventBus({ pollIntervalMs: 20 });
    const tokens = await tokensOf('billing');
    const http = createHttpClients(() => undefined, tokens);
    close = http.close;
    service = await createBillingService(loadBillingConfig({ BILLING_DATABASE_URL: database.url }), {
      name: 'billing',
      clock: { nowMs: () => systemClock.nowMs() + skewMs },
      logger: createLogger('billing', 'silent'),
      bus,
      tokens,
      clients: http.clients,
      metrics: createMetrics(),
      publicUrl: 'http://127.0.0.1',
    });
    bus.publishFrom(database.pool, 'identity', [eventTableSource([topicNames.accounts])]);
    await service.start();
    await bus.start();
    const { type, data } = accountOpened(accountId, creditsFromMicro(5_000_000n), systemClock.nowMs());
    await inTransaction(database.pool, (tx) =>
      appendToStream(tx, 'identity', accountId, 0, [
        { type, data, topic: topicNames.accounts, partitionKey: accountId, time: toIso(systemClock.nowMs()) },
      ]),
    );
  }, 60_000);
  afterAll(async () => {
    await bus.stop();
    await service.stop();
    await close();
    await database.drop();
  });

  it('stamps the ledger and holds with the time of the database', async () => {
    const { pool } = database;
    const entries = async () =>
      (await pool.query<{ off: string }>('SELECT extract(epoch FROM now() - created_at) AS off FROM ledger_entries'))
        .rows;
    while ((await entries()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    for (const { off } of await entries()) expect(Math.abs(Number(off))).toBeLessThan(SLACK_SECONDS);

    const gateway = await tokensOf('gateway');
    const assertion = { accountId, accountKind: 'formal', credentialType: 'api_key', scopes: [] } as const;
    const placed = await service.fastify.inject({
      method: 'POST',
      url: '/internal/holds',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await (await tokensOf('execution')).serviceToken('billing')}`,
        'x-account-assertion': await gateway.signAssertion(assertion),
      },
      payload: JSON.stringify({
        executionId: newExecutionId(systemClock.nowMs()),
        accountId,
        amountMicroCredits: '1',
        expiresAt: toIso(systemClock.nowMs() + 60_000),
      }),
    });
    expect(placed.statusCode).toBe(200);
    const { rows } = await pool.query<{ placed: string; asked: string }>(
      `SELECT extract(epoch FROM now() - placed_at) AS placed, extract(epoch FROM inquire_after - now()) AS asked FROM holds`,
    );
    for (const { placed: off, asked } of rows) {
      expect(Math.abs(Number(off))).toBeLessThan(SLACK_SECONDS);
      expect(Math.abs(Number(asked))).toBeLessThan(SLACK_SECONDS);
    }
    expect(rows).toHaveLength(1);
  });

  it('is not ready, and says why', () => {
    const way = skewMs > 0 ? 'ahead of' : 'behind';
    expect(service.ready()).toEqual({
      ready: false,
      detail: expect.stringMatching(`(3600|3599)\\.\\d s ${way} the database's`),
    });
    expect(service.database?.clockAgrees()).toBe(false);
  });
});
