import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readRunningStack, startServices, type RunningServices, type StackState } from '@capability-router/tools-stack';
import { expectAgreement, expectChargedOnce, recovered } from './aftermath.js';
import { Books } from './books.js';
import { callOnce, HOOK_TIMEOUT_MS, Load, openAccounts, pause } from './load.js';
import { PublishedEntries } from './published-entries.js';

const REPLICAS = 2;
const CLIENTS = 16;
const ACCOUNTS = 16;
const CREDITS = 10_000;
/** Milliseconds between two calls of a client: load, but one that leaves a service on the same machine time to start. */
const CLIENT_PAUSE_MS = 100;
/** Milliseconds of load before and after the kill. */
const LOAD_AFTER_MS = 2_000;
const DEATH_TIMEOUT_MS = 180_000;

/** How long a service takes to come back depends on the machine: no account may run into its limit meanwhile. */
const noLimits = { RATE_LIMIT_CALL: '1000000' };

/** Where a process kills itself with SIGKILL, once the point was passed some times under load. */
const scenarios = [
  { service: 'execution', point: 'after-start', after: 30 },
  { service: 'execution', point: 'after-hold', after: 30 },
  { service: 'execution', point: 'after-provider-call', after: 30 },
  { service: 'execution', point: 'after-commit', after: 30 },
  { service: 'execution', point: 'before-publish', after: 5 },
  { service: 'execution', point: 'after-publish', after: 5 },
  { service: 'billing', point: 'before-publish', after: 5 },
  { service: 'billing', point: 'after-publish', after: 5 },
  { service: 'billing', point: 'after-effect', after: 10 },
] as const;

describe('kill -9 under load on the real stack', () => {
  let stack: StackState;
  let services: RunningServices;
  let books: Books;
  let published: PublishedEntries;

  beforeAll(async () => {
    stack = readRunningStack();
    services = await startServices({ stack, replicas: REPLICAS, serviceEnv: { gateway: noLimits } });
    books = new Books(stack);
    published = await PublishedEntries.listen(stack);
  }, HOOK_TIMEOUT_MS);

  afterAll(async () => {
    await published.close();
    await books.close();
    await services.stop();
  }, HOOK_TIMEOUT_MS);

  it.each(scenarios)(
    'of $service $point loses nothing, charges nothing twice, and leaves no execution or hold open',
    async ({ service, point, after }) => {
      const origin = services.gatewayUrls[0] ?? '';
      const startedMs = Date.now();
      const accounts = await openAccounts(origin, services.accounts.admin_key, ACCOUNTS, CREDITS);
      const ids = accounts.map(({ accountId }) => accountId);
      // The only way to have a relay or a consumer at a known point is to have one process that can hold it.
      const victim = services.replica(service, 0);
      await services.replica(service, 1).stop();
      await victim.stop();
      await victim.start({ FAULTS_ENABLED: 'true', FAULT_POINT: point, FAULT_AFTER_CALLS: String(after) });

      const load = new Load(services.gatewayUrls, accounts, CLIENT_PAUSE_MS, callOnce);
      load.start(CLIENTS);
      await victim.ended(DEATH_TIMEOUT_MS);
      await pause(LOAD_AFTER_MS);
      await services.startReplica(service, 0);
      await services.startReplica(service, 1);
      await pause(LOAD_AFTER_MS);
      await load.more(CLIENTS + 1, ({ success }) => success === true);
      await load.stop();

      await recovered(books, ids);
      await expectChargedOnce(books, ids, load.outcomes);
      const answered = load.outcomes.filter(({ success }) => success === true).length;
      expect(answered).toBeGreaterThan(CLIENTS);
      await expectAgreement(books, published, ids, startedMs);
    },
  );
});
