import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectAgreement, recovered } from './aftermath.js';
import { startCountingProvider, untilKnown, type CountingProvider } from './counting-provider.js';
import { KeyedCall } from './keyed-call.js';
import { pause, type LoadAccount } from './load.js';
import { ofThisRun } from './long-run.js';
import { PlannedQuery, type PlanOptions } from './planned-query.js';
import { dying, HOOK_TIMEOUT_MS, Stand } from './stand.js';

const ACCOUNTS = 4;
const PRICE_CREDITS = 0.5;
/** Calls on their way at one time. */
const CLIENTS = 8;
/** Times that a point is passed unharmed: what was answered before the kill must stay as it was. */
const UNHARMED = 12;
const DEATH_TIMEOUT_MS = 180_000;
/** Milliseconds from the kill until every key must have an answer: the lease lapses first. */
const ANSWER_TIMEOUT_MS = 180_000;
/**
 * Milliseconds for which the victim counts as alive after its death: long enough that its calls are still running for those
 * who ask the other replica, on a busy machine too.
 */
const VICTIM_LEASE_MS = 8_000;

/** Queries that are sent at one time to the replica that dies once half as many attempts were answered. */
const PLANS = 4;
/** Answers of providers that are heard unharmed where attempts run beside each other: of the first plan both, the second of which is given up. */
const UNHARMED_HEDGES = 2;
/** Milliseconds of a deadline that is over before the first attempt. */
const LATE_MS = 4_000;
/** Nobody has to meet a plan of the victim that still runs. */
const SHORT_LEASE = { EXECUTION_LEASE_MS: '3000' };
/** The replica that is held is not taken for dead, however long it is held: its plan is its own to end. */
const LONG_LEASE = { EXECUTION_LEASE_MS: '60000' };

/**
 * Where execution kills itself. `lost`: the end is on record by then, and the answer is all that is lost. The points that
 * `kill` plays in every run are played here in the long one; plans of attempts, below, die after a provider's answer too.
 */
const scenarios = ofThisRun([
  { point: 'after-start', lost: false },
  { point: 'after-hold', lost: false, rare: true },
  { point: 'after-provider-call', lost: false, rare: true },
  { point: 'after-commit', lost: true },
] as const);

describe('kill -9 of execution under calls with idempotency keys on the real stack', () => {
  let stand: Stand;
  let provider: CountingProvider;
  let origins: readonly string[];

  beforeAll(async () => {
    stand = await Stand.open();
    origins = stand.origins;
    await stand.arrange();
    provider = await startCountingProvider(origins, stand.services.accounts.admin_key, PRICE_CREDITS);
  }, HOOK_TIMEOUT_MS);

  afterAll(async () => {
    await provider.close();
    await stand.close();
  }, HOOK_TIMEOUT_MS);

  it.each(scenarios)(
    '$point: each key is answered in the end, by one provider call and one charge at most',
    async ({ point, lost }) => {
      const lease = { EXECUTION_LEASE_MS: String(VICTIM_LEASE_MS) };
      await stand.arrange();
      const accounts = await stand.openAccounts(ACCOUNTS);
      const ids = accounts.map(({ accountId }) => accountId);
      for (const toolId of [provider.paidToolId, provider.freeToolId]) {
        await untilKnown(origins, accounts[0]?.key ?? '', toolId);
      }
      await stand.arrange({ 'execution 0': dying(point, UNHARMED, lease) });

      const calls: KeyedCall[] = [];
      let stopped = false;
      const clients = Array.from({ length: CLIENTS }, (_, client) => runClient(client, accounts, calls, () => stopped));
      await stand.services.replica('execution', 0).ended(DEATH_TIMEOUT_MS);
      const seenPending = await pendingOf(calls);
      stopped = true;
      await Promise.all(clients);
      await stand.arrange();
      await answered(calls);

      // Whoever asks again, and wherever, hears the same; the look-up too.
      for (const call of calls) {
        for (const origin of origins) {
          const again = await call.send(origin);
          expect(again).toEqual({ status: 200, replayed: true, body: call.answer?.body });
        }
        const { status, response } = await call.lookUp(origins[0] ?? '');
        const interrupted = call.answer?.body['success'] !== true;
        expect({ status, response }).toEqual({
          status: interrupted ? 'unavailable' : 'completed',
          response: call.answer?.body,
        });
      }

      await recovered(stand.books, ids);
      const [ends, charges] = await Promise.all([stand.books.ends(ids), stand.books.charges(ids)]);
      for (const { key, toolId, answer } of calls) {
        const executionId = String(answer?.body['execution_id']);
        const succeeded = answer?.body['success'] === true;
        const charged = succeeded && toolId === provider.paidToolId ? BigInt(PRICE_CREDITS * 1e6) : undefined;
        expect({ key, charged: charges.get(executionId) }).toEqual({ key, charged });
        expect(ends.get(executionId)?.type).toBe(succeeded ? 'ExecutionCompleted' : 'ExecutionInterrupted');
        expect(provider.requests.get(key) ?? 0).toBeLessThanOrEqual(1);
        if (succeeded) expect(provider.requests.get(key)).toBe(1);
      }
      // Every execution of these accounts that was charged belongs to a key that was answered with it.
      const answeredIds = new Set(calls.map(({ answer }) => String(answer?.body['execution_id'])));
      expect([...charges.keys()].filter((id) => !answeredIds.has(id))).toEqual([]);

      // The kill met something: else nothing was proved.
      const interrupted = calls.filter(({ answer }) => answer?.body['success'] !== true);
      const rescued = calls.filter(
        ({ answer, failures }) => answer?.replayed === true && answer.body['success'] === true && failures.length > 0,
      );
      if (lost) expect(rescued.length).toBeGreaterThan(0);
      else
        expect({ interrupted: interrupted.length > 0, seenPending: seenPending > 0 }).toEqual({
          interrupted: true,
          seenPending: true,
        });
      // All passages that were unharmed serve, but for those of calls that were still on their way at the kill.
      expect(calls.filter(({ answer }) => answer?.body['success'] === true).length).toBeGreaterThanOrEqual(
        UNHARMED - CLIENTS,
      );
    },
  );

  it('between two attempts of plans that must not be repeated: nothing is sent twice, and each plan ends once', async () => {
    const accounts = await stand.openAccounts(1);
    const ids = accounts.map(({ accountId }) => accountId);
    const toolIds = [provider.refusedToolId, provider.paidToolId];
    await untilKnown(origins, accounts[0]?.key ?? '', provider.refusedToolId);
    await stand.arrange({ 'execution 0': dying('after-provider-call', PLANS / 2, SHORT_LEASE) });
    const [victim, other] = [0, 1].map((index) => stand.services.replica('execution', index).url);
    const tools = await stand.books.toolCopies(toolIds);
    const newQuery = (): PlannedQuery => new PlannedQuery(stand.stack, ids[0] ?? '', tools);

    // Where nobody dies the second attempt follows the first: the kill may meet a plan between them.
    const unharmed = await newQuery().send(other ?? '');
    expect(unharmed).toMatchObject({ status: 200, body: { success: true, cost: PRICE_CREDITS } });
    expect(unharmed?.body.routing.attempts.map(({ status }) => status)).toEqual(['failed', 'served']);

    const queries = Array.from({ length: PLANS }, newQuery);
    await Promise.all(queries.map((query) => query.send(victim ?? '')));
    await stand.services.replica('execution', 0).ended(DEATH_TIMEOUT_MS);
    const answers = await Promise.all(queries.map((query) => query.untilAnswered(other ?? '', ANSWER_TIMEOUT_MS)));

    for (const [index, query] of queries.entries()) {
      expect(await query.send(other ?? '')).toEqual({ status: 200, replayed: true, body: answers[index]?.body });
    }

    await recovered(stand.books, ids);
    const [ends, charges] = await Promise.all([stand.books.ends(ids), stand.books.charges(ids)]);
    const plans = queries.map((query, index) => {
      const { success, execution_id: id } = answers[index]?.body ?? { success: false, execution_id: '' };
      const [first = 0, second = 0] = [0, 1].map((position) => provider.requests.get(query.idOf(position)));
      return { first, second, success, end: ends.get(id)?.type, charged: charges.get(id) };
    });
    for (const { first, second, success, end, charged } of plans) {
      expect([first <= 1, second <= 1]).toEqual([true, true]);
      const ended = success ? ['ExecutionCompleted', BigInt(PRICE_CREDITS * 1e6)] : ['ExecutionInterrupted', undefined];
      expect([end, charged]).toEqual(ended);
    }
    // Nothing else was run than these and the plan that was unharmed.
    expect([...ends.values()].filter(({ type }) => type !== 'ExecutionRefused')).toHaveLength(PLANS + 1);
    // The kill met one between its attempts: else nothing was proved.
    expect(plans).toContainEqual(expect.objectContaining({ first: 1, second: 0, end: 'ExecutionInterrupted' }));
  });

  it('with a second attempt under way beside the first: each plan ends once, and is charged at most once', async () => {
    const accounts = await stand.openAccounts(1);
    const ids = accounts.map(({ accountId }) => accountId);
    await untilKnown(origins, accounts[0]?.key ?? '', provider.slowToolId);
    // The one attempt that is unharmed is the second of the first plan, whose first is given up.
    const hedging = { EXECUTION_HEDGE_PERCENT: '100', ...SHORT_LEASE };
    await stand.arrange({
      'execution 0': dying('after-provider-call', UNHARMED_HEDGES, hedging),
      'execution 1': { ...dying('after-hold', 0, LONG_LEASE), FAULT_SIGNAL: 'SIGSTOP' },
    });
    const [victim, other] = [0, 1].map((index) => stand.services.replica('execution', index));
    const tools = await stand.books.toolCopies([provider.slowToolId, provider.paidToolId]);
    const newQuery = (options: PlanOptions = { hedgeAfterMs: 1 }): PlannedQuery =>
      new PlannedQuery(stand.stack, ids[0] ?? '', tools, options);

    // A replica that is held between the hold and the first attempt finds no time left: nothing is sent, nothing is charged.
    const late = newQuery({ deadlineMs: LATE_MS });
    const answeredLate = late.send(other?.url ?? '');
    // One that answers instead was not held, and its answer says why.
    expect(await Promise.race([other?.held(DEATH_TIMEOUT_MS), answeredLate])).toBeUndefined();
    await pause(LATE_MS);
    other?.goOn();
    expect(await answeredLate).toMatchObject({ status: 408 });
    expect([0, 1].map((position) => provider.requests.get(late.idOf(position)))).toEqual([undefined, undefined]);

    const unharmed = await newQuery().send(victim?.url ?? '');
    expect(unharmed).toMatchObject({ status: 200, body: { success: true, cost: PRICE_CREDITS } });
    expect(unharmed?.body.routing.attempts).toMatchObject([{ status: 'abandoned' }, { status: 'served', hedge: true }]);

    const queries = Array.from({ length: PLANS }, () => newQuery());
    await Promise.all(queries.map((query) => query.send(victim?.url ?? '')));
    await victim?.ended(DEATH_TIMEOUT_MS);
    const answers = await Promise.all(queries.map((query) => query.untilAnswered(other?.url ?? '', ANSWER_TIMEOUT_MS)));
    await recovered(stand.books, ids);
    const [ends, charges] = await Promise.all([stand.books.ends(ids), stand.books.charges(ids)]);
    const plans = queries.map((query, index) => {
      const { success, execution_id: id } = answers[index]?.body ?? { success: false, execution_id: '' };
      const sent = [0, 1].map((position) => provider.requests.get(query.idOf(position)) ?? 0);
      return { sent, success, end: ends.get(id)?.type, charged: charges.get(id) };
    });
    for (const { sent, success, end, charged } of plans) {
      expect(Math.max(...sent)).toBeLessThanOrEqual(1);
      const ended = success ? ['ExecutionCompleted', BigInt(PRICE_CREDITS * 1e6)] : ['ExecutionInterrupted', undefined];
      expect([end, charged]).toEqual(ended);
    }
    // The kill met one of which both attempts were on their way: else nothing was proved.
    expect(plans).toContainEqual(expect.objectContaining({ sent: [1, 1], end: 'ExecutionInterrupted' }));
  });

  it('leaves books that agree after all of it', () => expectAgreement(stand));

  /** New keys, paid and free in turn, until the kill; then the one in hand is left to the end of the test. */
  async function runClient(
    client: number,
    accounts: readonly LoadAccount[],
    calls: KeyedCall[],
    stopped: () => boolean,
  ): Promise<void> {
    for (let turn = client; !stopped(); turn += 1) {
      const account = accounts[turn % accounts.length];
      if (account === undefined) throw new Error('no account to call with');
      const call = new KeyedCall(account, turn % 2 === 0 ? provider.paidToolId : provider.freeToolId);
      calls.push(call);
      await call.untilAnswered(origins, stopped);
      await pause(20);
    }
  }

  /** How many of the keys without an answer are said to be running; asking calls no provider. */
  async function pendingOf(calls: readonly KeyedCall[]): Promise<number> {
    const open = calls.filter(({ answer }) => answer === undefined);
    const found = await Promise.all(open.map((call) => call.lookUp(origins[0] ?? '')));
    for (const { httpStatus, status } of found) {
      if (httpStatus === 200) expect(['pending', 'completed', 'unavailable']).toContain(status);
      else expect(httpStatus).toBe(404);
    }
    return found.filter(({ status }) => status === 'pending').length;
  }

  async function answered(calls: readonly KeyedCall[]): Promise<void> {
    const deadline = performance.now() + ANSWER_TIMEOUT_MS;
    await Promise.all(calls.map((call) => call.untilAnswered(origins, () => performance.now() > deadline)));
    expect(calls.filter(({ answer }) => answer === undefined).map(({ key, failures }) => ({ key, failures }))).toEqual(
      [],
    );
  }
});
