import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { shippedTimes } from '@capability-router/tools-stack';
import { expectAgreement, expectChargedOnce, recovered } from './aftermath.js';
import { callOnce, Load, type CallOutcome } from './load.js';
import { ofThisRun } from './long-run.js';
import { dying, HOOK_TIMEOUT_MS, Stand } from './stand.js';

const CLIENTS = 8;
const ACCOUNTS = 8;
/** Milliseconds between two calls of a client: load, but one that leaves a service on the same machine time to start. */
const CLIENT_PAUSE_MS = 250;
const DEATH_TIMEOUT_MS = 180_000;
/** Calls that must succeed once the dead run again. */
const CALLS_AFTERWARDS = 2 * CLIENTS;
const BERLIN_TO_PARIS = { from_latitude: 52.52, from_longitude: 13.405, to_latitude: 48.8566, to_longitude: 2.3522 };

const query = (origin: string | undefined, key: string): Promise<Response> =>
  fetch(`${origin}/api/v1/capabilities/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ capability_id: 'geo.distance', parameters: BERLIN_TO_PARIS }),
  });

/**
 * Where a process kills itself with SIGKILL, once the point was passed some times under load. `alone`: the other replica is
 * stopped, since only a single process is sure to hold the relay or the partitions. At the other points the replica that
 * is left recovers what the dead one had in hand. `interrupts`: calls of the dead have begun and have no end.
 * Both services publish by the same relay: each dies on one side of the send in every run, on both in the long one. The
 * points that `idempotency` plays in every run are played here in the long one.
 */
const scenarios = ofThisRun([
  { service: 'execution', point: 'after-start', after: 20, alone: false, times: 'short', interrupts: true, rare: true },
  { service: 'execution', point: 'after-hold', after: 20, alone: false, times: 'shipped', interrupts: true },
  { service: 'execution', point: 'after-provider-call', after: 20, alone: true, times: 'short', interrupts: true },
  {
    service: 'execution',
    point: 'after-commit',
    after: 20,
    alone: true,
    times: 'short',
    interrupts: false,
    rare: true,
  },
  {
    service: 'execution',
    point: 'before-publish',
    after: 5,
    alone: true,
    times: 'short',
    interrupts: false,
    rare: true,
  },
  { service: 'execution', point: 'after-publish', after: 5, alone: true, times: 'short', interrupts: false },
  { service: 'billing', point: 'before-publish', after: 5, alone: true, times: 'short', interrupts: false },
  { service: 'billing', point: 'after-publish', after: 5, alone: true, times: 'short', interrupts: false, rare: true },
  { service: 'billing', point: 'after-effect', after: 10, alone: true, times: 'short', interrupts: false },
] as const);

describe('kill -9 under load on the real stack', () => {
  let stand: Stand;
  let load: Load<CallOutcome>;

  beforeAll(async () => {
    stand = await Stand.open();
  }, HOOK_TIMEOUT_MS);

  afterEach(() => load.stop());

  afterAll(() => stand.close(), HOOK_TIMEOUT_MS);

  it.each(scenarios)(
    'of $service $point, with $times times, loses nothing, charges nothing twice, and leaves no execution or hold open',
    async ({ service, point, after, alone, times, interrupts }) => {
      const usual = times === 'short' ? {} : shippedTimes;
      const healthy = {
        'execution 0': usual,
        'execution 1': usual,
        'billing 0': usual,
        'billing 1': usual,
      };
      // Accounts come first: what opens them passes points of billing, and the kill is to meet calls.
      await stand.arrange();
      const accounts = await stand.openAccounts(ACCOUNTS);
      const ids = accounts.map(({ accountId }) => accountId);
      await stand.arrange({
        ...healthy,
        [`${service} 0`]: dying(point, after, usual),
        ...(alone ? { [`${service} 1`]: 'stopped' } : {}),
      });
      load = new Load(stand.origins, accounts, CLIENT_PAUSE_MS, callOnce);
      load.start(CLIENTS);
      await stand.services.replica(service, 0).ended(DEATH_TIMEOUT_MS);
      await stand.arrange(healthy);
      await load.more(CALLS_AFTERWARDS, ({ success }) => success === true);
      await load.stop();

      await recovered(stand.books, ids);
      await expectChargedOnce(stand.books, ids, load.outcomes);
      // The kill met calls on their way: else nothing was proved.
      const ends = [...(await stand.books.ends(ids)).values()].map(({ type }) => type);
      if (interrupts) expect(ends).toContain('ExecutionInterrupted');
    },
  );

  it('of execution while a query runs is a 500 to its caller, with the id by which its end is found, and no charge', async () => {
    await stand.arrange();
    const [account] = await stand.openAccounts(1);
    if (account === undefined) throw new Error('an account was opened');
    await stand.arrange({ 'execution 0': dying('after-provider-call', 1), 'execution 1': 'stopped' });
    // The first one passes the point, at the second the process dies.
    expect((await query(stand.origins[0], account.key)).status).toBe(200);
    const answer = await query(stand.origins[0], account.key);
    const body = (await answer.json()) as Readonly<Record<string, unknown>>;
    expect([answer.status, body]).toEqual([
      500,
      expect.objectContaining({ execution_id: expect.stringMatching(/^exec_/), message: expect.any(String) }),
    ]);
    await stand.arrange();
    await recovered(stand.books, [account.accountId]);
    const ends = await stand.books.ends([account.accountId]);
    expect(ends.get(String(body['execution_id']))?.type).toBe('ExecutionInterrupted');
  });

  it('of every replica of capability routing is a 503 to queries and details, which may be repeated and are served again', async () => {
    await stand.arrange();
    const [account] = await stand.openAccounts(1);
    if (account === undefined) throw new Error('an account was opened');
    await stand.arrange({ 'capability-routing 0': 'stopped', 'capability-routing 1': 'stopped' });
    const authorization = `Bearer ${account.key}`;
    const detail = () => fetch(`${stand.origins[0]}/api/v1/capabilities/geo.distance`, { headers: { authorization } });
    for (const answer of [await query(stand.origins[0], account.key), await detail()]) {
      expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
        503,
        expect.stringMatching(/^[1-9]\d?$/),
        expect.objectContaining({ status: 'failure', message: expect.any(String) }),
      ]);
    }
    await stand.arrange();
    expect([(await query(stand.origins[0], account.key)).status, (await detail()).status]).toEqual([200, 200]);
  });

  it('leaves books that agree after all of it', () => expectAgreement(stand));
});
