import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ContextName } from '@capability-router/contracts';
import {
  creditsFromMicro,
  ManualClock,
  newAccountId,
  newApiKeyId,
  newExecutionId,
  newSearchId,
  systemClock,
  toIso,
  type AccountId,
  type ExecutionId,
} from '@capability-router/kernel';
import { generateInternalKeys, InternalTokens } from '@capability-router/service-kit';
import type { FastifyInstance } from 'fastify';
import { loadBillingConfig } from '../config.js';
import { applyAccountEvents } from '../grants/account-events.js';
import { checkInvariants } from '../invariants/check-invariants.js';
import { settleExecutions } from '../settlement/settle-executions.js';
import { accountOpened, terminalEvent } from '../test-support/events.js';
import { openRoutes } from '../test-support/open-routes.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../test-support/scratch-database.js';

const GRANT = creditsFromMicro(5_000_000n);

describe('POST /internal/holds', () => {
  let database: ScratchDatabase;
  let server: FastifyInstance;
  let accountId: AccountId;
  let stop: () => Promise<void>;
  const keys = generateInternalKeys();
  const tokensOf = (service: ContextName) =>
    InternalTokens.create({ service, signingKey: keys.signingKeys[service], jwks: keys.jwks, clock: systemClock });

  beforeAll(async () => {
    database = await createScratchDatabase();
    const config = loadBillingConfig({ BILLING_DATABASE_URL: 'postgres://unused/billing' });
    // No midnight comes between two holds of a day's budget.
    const clock = new ManualClock(systemClock.nowMs());
    const app = await openRoutes({ pool: database.pool, clock, config, tokens: await tokensOf('billing') });
    server = app.getHttpAdapter().getInstance();
    stop = () => app.close();
    accountId = newAccountId(systemClock.nowMs());
    const opened = accountOpened(accountId, GRANT, systemClock.nowMs());
    await inTransaction(database.pool, (tx) => applyAccountEvents(tx, [opened], systemClock));
  });
  afterAll(async () => {
    await stop();
    await database.drop();
  });

  async function place(caller: ContextName, ids: object, account = accountId, credential: object = {}) {
    const tokens = await tokensOf(caller);
    const gateway = await tokensOf('gateway');
    const assertion = {
      accountId,
      accountKind: 'formal',
      credentialType: 'api_key',
      scopes: [],
      ...credential,
    } as const;
    const response = await server.inject({
      method: 'POST',
      url: '/internal/holds',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await tokens.serviceToken('billing')}`,
        'x-account-assertion': await gateway.signAssertion(assertion),
      },
      payload: JSON.stringify({
        ...ids,
        accountId: account,
        amountMicroCredits: '1000000',
      }),
    });
    return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
  }
  const executionId = newExecutionId(systemClock.nowMs());
  const searchId = newSearchId(systemClock.nowMs());

  it('reserves for an execution of execution and for a search of registry, and again for the same', async () => {
    expect(await place('execution', { executionId })).toMatchObject({
      status: 200,
      body: { status: 'held', availableMicroCredits: '4000000' },
    });
    for (let time = 0; time < 2; time += 1) {
      expect(await place('registry', { searchId })).toMatchObject({
        status: 200,
        body: { status: 'held', availableMicroCredits: '3000000' },
      });
    }
  });

  it('takes holds of older builds, which say when they expire', async () => {
    const older = { executionId: newExecutionId(systemClock.nowMs()), expiresAt: toIso(systemClock.nowMs()) };
    const another = newAccountId(systemClock.nowMs());
    const opened = accountOpened(another, GRANT, systemClock.nowMs());
    await inTransaction(database.pool, (tx) => applyAccountEvents(tx, [opened], systemClock));
    expect(await place('execution', older, another, { accountId: another })).toMatchObject({ status: 200 });
  });

  it('guards the budgets of the asserted credential, for calls and searches alike', async () => {
    const credential = {
      apiKeyId: newApiKeyId(systemClock.nowMs()),
      budgets: {
        key: { limitMicroCredits: '2500000', period: 'day' },
        session: { limitMicroCredits: '1000000' },
      },
    };
    const another = newAccountId(systemClock.nowMs());
    const opened = accountOpened(another, GRANT, systemClock.nowMs());
    await inTransaction(database.pool, (tx) => applyAccountEvents(tx, [opened], systemClock));
    const ofSession = (sessionId: string, ids: object = { executionId: newExecutionId(systemClock.nowMs()) }) =>
      place('searchId' in ids ? 'registry' : 'execution', { ...ids, sessionId }, another, {
        accountId: another,
        ...credential,
      });
    const search = { searchId: newSearchId(systemClock.nowMs()) };
    expect(await ofSession('task', search)).toMatchObject({ status: 200, body: { availableMicroCredits: '4000000' } });
    expect(await ofSession('task')).toEqual({
      status: 402,
      body: {
        status: 'budget_exceeded',
        availableMicroCredits: '4000000',
        budgets: [{ scope: 'session', limitMicroCredits: '1000000', availableMicroCredits: '0' }],
      },
    });
    expect(await ofSession('another task')).toMatchObject({ status: 200 });
    expect(await ofSession('a third one')).toMatchObject({
      status: 402,
      body: { budgets: [{ scope: 'key', availableMicroCredits: '500000', periodEndsAt: expect.any(String) }] },
    });
    expect(await ofSession('x'.repeat(201))).toMatchObject({ status: 422 });
  });

  it.each<[string, ContextName, object]>([
    ['a search of execution', 'execution', { searchId }],
    ['an execution of registry', 'registry', { executionId }],
    ['both at once', 'registry', { searchId, executionId }],
    ['nothing', 'execution', {}],
    ['a search id that is none', 'registry', { searchId: executionId }],
  ])('refuses %s', async (_what, caller, ids) => {
    expect(await place(caller, ids)).toMatchObject({ status: 422 });
  });

  it('refuses other services, and another account than the gateway vouches for', async () => {
    expect(await place('identity', { executionId })).toMatchObject({ status: 403 });
    const other = newAccountId(systemClock.nowMs());
    expect(await place('registry', { searchId: newSearchId(1) }, other)).toMatchObject({ status: 403 });
  });

  describe('released by who placed it', () => {
    const clock = new ManualClock(systemClock.nowMs());
    async function release(billableIds: unknown, caller: ContextName = 'execution', more: object = {}) {
      const tokens = await tokensOf(caller);
      const response = await server.inject({
        method: 'POST',
        url: '/internal/holds:release',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${await tokens.serviceToken('billing')}`,
        },
        payload: JSON.stringify({ billableIds, ...more }),
      });
      return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
    }
    const settle = (type: 'ExecutionCompleted' | 'ExecutionInterrupted', id: ExecutionId, bill = 0n) =>
      inTransaction(database.pool, (tx) => {
        const facts = { executionId: id, accountId: poor, type, success: bill > 0n, bill, nowMs: clock.nowMs() };
        return settleExecutions(tx, [terminalEvent(facts)], clock);
      });
    const forestall = (billableId: string, accountId: unknown = poor, amountMicroCredits = '1000000') =>
      release([], 'execution', { forestalled: [{ billableId, accountId, amountMicroCredits }] });
    const stateOf = async (id: ExecutionId) => {
      const { rows } = await database.pool.query('SELECT state FROM holds WHERE execution_id = $1', [id]);
      return (rows as { state: string }[]).map(({ state }) => state);
    };
    const hold = (id: ExecutionId) => place('execution', { executionId: id }, poor, { accountId: poor });
    let poor: AccountId;
    beforeEach(async () => {
      poor = newAccountId(systemClock.nowMs());
      const opened = accountOpened(poor, creditsFromMicro(1_000_000n), systemClock.nowMs());
      await inTransaction(database.pool, (tx) => applyAccountEvents(tx, [opened], systemClock));
    });
    afterEach(async () => expect(await checkInvariants(database.pool)).toEqual([]));

    it('is free for the next call at once, and its event changes nothing of it, however often either comes', async () => {
      const [failed, next] = [newExecutionId(systemClock.nowMs()), newExecutionId(systemClock.nowMs())];
      expect((await hold(failed)).status).toBe(200);
      expect((await hold(next)).status).toBe(402);
      expect(await release([failed])).toEqual({ status: 200, body: { released: 1 } });
      expect((await hold(next)).status).toBe(200);
      await settle('ExecutionInterrupted', failed);
      expect(await release([failed, failed])).toEqual({ status: 200, body: { released: 0 } });
      await settle('ExecutionInterrupted', failed);
      await settle('ExecutionCompleted', next, 1_000_000n);
      const { rows } = await database.pool.query(
        `SELECT execution_id, state, captured_micro FROM holds WHERE account_id = $1 ORDER BY state`,
        [poor],
      );
      expect(rows).toEqual([
        { execution_id: next, state: 'captured', captured_micro: '1000000' },
        { execution_id: failed, state: 'released', captured_micro: '0' },
      ]);
    });

    it('is never charged afterwards, whatever an event says', async () => {
      const id = newExecutionId(systemClock.nowMs());
      await hold(id);
      await release([id]);
      await settle('ExecutionCompleted', id, 1_000_000n);
      const { rows } = await database.pool.query(
        `SELECT status, settled_micro FROM settlements WHERE source_ref_id = $1`,
        [id],
      );
      expect(rows).toEqual([{ status: 'uncollected', settled_micro: '0' }]);
    });

    it('is free at once where it was not known to be placed, also before its event, and however often', async () => {
      const [placed, next] = [newExecutionId(systemClock.nowMs()), newExecutionId(systemClock.nowMs())];
      await hold(placed);
      expect(await forestall(placed)).toEqual({ status: 200, body: { released: 1 } });
      expect(await forestall(placed)).toEqual({ status: 200, body: { released: 0 } });
      expect((await hold(next)).status).toBe(200);
      await settle('ExecutionInterrupted', placed);
      expect(await stateOf(placed)).toEqual(['released']);
    });

    it.each(['before', 'after'])('is a conflict where it comes later, %s its event', async (when) => {
      const [late, next] = [newExecutionId(systemClock.nowMs()), newExecutionId(systemClock.nowMs())];
      if (when === 'after') await settle('ExecutionInterrupted', late);
      expect(await forestall(late)).toEqual({ status: 200, body: { released: 0 } });
      expect(await hold(late)).toEqual({ status: 409, body: { status: 'conflict' } });
      if (when === 'before') await settle('ExecutionInterrupted', late);
      expect(await stateOf(late)).toEqual(['released']);
      expect((await hold(next)).status).toBe(200);
    });

    it('is never open afterwards where it is placed at the same time', async () => {
      const ids = Array.from({ length: 40 }, () => newExecutionId(systemClock.nowMs()));
      await Promise.all(ids.flatMap((id) => [hold(id), forestall(id)]));
      for (const id of ids) expect(await stateOf(id)).toEqual(['released']);
      expect((await hold(newExecutionId(systemClock.nowMs()))).status).toBe(200);
    });

    it('by nobody else, and by each only what it runs', async () => {
      const id = newExecutionId(systemClock.nowMs());
      expect((await release([id], 'registry')).status).toBe(422);
      expect((await release([newSearchId(1)], 'registry')).status).toBe(200);
      expect((await release([id], 'gateway')).status).toBe(403);
      expect((await release([newSearchId(1)])).status).toBe(422);
      expect((await release(Array.from({ length: 101 }, () => id))).status).toBe(422);
      expect((await release('x')).status).toBe(422);
      expect((await forestall(newSearchId(1))).status).toBe(422);
      expect((await forestall(id, 'acc_1')).status).toBe(422);
      expect((await forestall(id, poor, '0')).status).toBe(422);
      expect(await stateOf(id)).toEqual([]);
      expect(await release([id])).toEqual({ status: 200, body: { released: 0 } });
    });
  });
});
