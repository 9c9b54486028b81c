/** @long-run Every replica is started four times, and readers of keys of tokens are waited for. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { contexts, internalHeaders } from '@capability-router/contracts';
import { systemClock } from '@capability-router/kernel';
import { InternalTokens, type InternalTokensOptions } from '@capability-router/service-kit';
import { commonEnvSpec } from '@capability-router/service-kit/config';
import type { ServiceEnvironment } from '@capability-router/tools-stack';
import pg from 'pg';
import { expectAgreement, expectChargedOnce, recovered } from './aftermath.js';
import { Balancer } from './availability/balancer.js';
import { caprouter } from './caprouter.js';
import { callOnce, Load, pause, type CallOutcome } from './load.js';
import { askForToken, registerProgram, type GivenToken, type OAuthProgram } from './rotation/oauth-program.js';
import { keysOf, printedSteps, type KeyStep } from './rotation/printed-steps.js';
import { HOOK_TIMEOUT_MS, Stand } from './stand.js';

const CLIENTS = 8;
const ACCOUNTS = 8;
/** Milliseconds between two calls of a client. */
const CLIENT_PAUSE_MS = 250;
/** Milliseconds between two tokens of a program: 120 requests without a credential are taken in a minute. */
const TOKEN_PAUSE_MS = 1_000;
/** Calls that succeed between two restarts, at least. */
const CALLS_BETWEEN = 2 * CLIENTS;
const TIMEOUT_MS = 900_000;
/** Longer than a replica of identity goes on with what it has read of the keys of access tokens. */
const READ_AGAIN_MS = 35_000;
/** As it ships; the services of other tests do not drain. */
const DRAINING = { SHUTDOWN_DRAIN_MS: String(commonEnvSpec.SHUTDOWN_DRAIN_MS.default) };

/** docs/runbooks/rotate-keys.md, with each command as it stands there. */
describe('the keys by which services know each other', () => {
  let stand: Stand;
  let balancer: Balancer;
  let load: Load<CallOutcome> | undefined;
  let tokens: Load<GivenToken> | undefined;
  const standings: Record<string, ServiceEnvironment> = Object.fromEntries(
    contexts.flatMap((name) => [0, 1].map((index) => [`${name} ${index}`, DRAINING] as const)),
  );

  beforeAll(async () => {
    stand = await Stand.alone();
    await stand.arrange(standings);
    balancer = new Balancer(stand.origins);
  }, HOOK_TIMEOUT_MS);

  afterEach(() => Promise.all([load?.stop(), tokens?.stop()]));

  afterAll(async () => {
    await balancer.close();
    await stand.close();
  }, HOOK_TIMEOUT_MS);

  it(
    'are rotated in three steps, one replica of each service after the other, and no request is lost, refused or charged twice',
    async () => {
      const accounts = await stand.openAccounts(ACCOUNTS);
      const ids = accounts.map(({ accountId }) => accountId);
      const [first] = accounts;
      if (first === undefined) throw new Error('accounts were opened');
      const program = await registerProgram(stand, first);
      // A token of before is good to the end, as an API key is.
      const before = await askForToken(stand.origin, program);
      const callers = [...accounts, { accountId: first.accountId, key: before.token ?? '' }];
      const calls = (load = new Load(stand.origins, callers, CLIENT_PAUSE_MS, (_, account, turn) =>
        callOnce(balancer.choose(turn), account),
      ));
      const given = (tokens = new Load(stand.origins, [first], TOKEN_PAUSE_MS, (_, __, turn) =>
        askForToken(balancer.choose(turn), program),
      ));
      calls.start(CLIENTS);
      given.start(1);
      await calls.more(CALLS_BETWEEN, isServed);

      const [known, signing, over, ...none] = await printedSteps(stand.stack);
      if (known === undefined || signing === undefined || over === undefined)
        throw new Error('three steps are printed');
      expect(none).toEqual([]);
      await roll(known, calls);
      await roll(signing, calls);
      await rotateTokenKey(program);
      await roll(over, calls);
      await Promise.all([calls.stop(), given.stop()]);

      expect(calls.outcomes.filter((call) => !isServed(call))).toEqual([]);
      expect(given.outcomes.filter(({ token }) => token === undefined)).toEqual([]);
      expect(given.outcomes.at(-1)?.keyId).not.toBe(before.keyId);
      expect(await statusesOf(keysOf(stand.stack).identity)).toEqual([401, 401]);
      expect(await statusesOf(over.identity)).toEqual([200, 200]);
      await recovered(stand.books, ids);
      await expectChargedOnce(stand.books, ids, calls.outcomes);
    },
    TIMEOUT_MS,
  );

  it('leaves books that agree after all of it', () => expectAgreement(stand));

  /** Restarts one replica of every service with the keys, then the other, as `kubectl rollout restart` of all Deployments does. */
  async function roll(step: KeyStep, calls: Load<CallOutcome>): Promise<void> {
    for (const index of [0, 1]) {
      for (const name of contexts) standings[`${name} ${index}`] = { ...DRAINING, ...step[name] };
      await stand.arrange(standings);
      await calls.more(CALLS_BETWEEN, isServed);
    }
  }

  /** Resolves when every replica of identity signs access tokens by a key that is sealed with the new keys. */
  async function rotateTokenKey(program: OAuthProgram): Promise<void> {
    const env = { CAPROUTER_GATEWAY_URL: stand.origin, CAPROUTER_API_KEY: stand.services.accounts.admin_key };
    const { key_id: keyId } = await caprouter(['oauth-clients', 'rotate-key'], env);
    // In place of the ten minutes in which readers of the published keys come to know it: every replica reads them once.
    await pause(READ_AGAIN_MS);
    const identity = new pg.Client({ connectionString: stand.stack.databases.identity.ownerUrl });
    await identity.connect();
    await identity.query('UPDATE oauth_signing_keys SET signs_from = now() WHERE key_id = $1', [keyId]);
    await identity.end();
    await pause(READ_AGAIN_MS);
    for (const origin of stand.origins) expect(await askForToken(origin, program)).toMatchObject({ keyId });
  }

  /** The statuses of both replicas of billing to identity, if it shows a token that is signed with these keys. */
  async function statusesOf({ INTERNAL_JWKS, INTERNAL_SIGNING_KEY }: KeyStep['identity']): Promise<number[]> {
    const shown = await InternalTokens.create({
      service: 'identity',
      signingKey: JSON.parse(INTERNAL_SIGNING_KEY) as InternalTokensOptions['signingKey'],
      jwks: JSON.parse(INTERNAL_JWKS) as InternalTokensOptions['jwks'],
      clock: systemClock,
    });
    const authorization = `Bearer ${await shown.serviceToken('billing')}`;
    const answers = [0, 1].map((index) =>
      fetch(`${stand.services.replica('billing', index).url}/internal/accounts:balances`, {
        method: 'POST',
        headers: { [internalHeaders.serviceToken]: authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ accountIds: [] }),
      }),
    );
    return (await Promise.all(answers)).map(({ status }) => status);
  }
});

const isServed = ({ success }: CallOutcome): boolean => success === true;
