import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@capability-router/kernel';
import { VERIFICATION_ACCOUNT_ID, type AccountAssertion, type ContextName } from '@capability-router/contracts';
import { generateInternalKeys, rotateInternalKeys } from './generate-keys.js';
import { InternalTokens, InvalidInternalToken } from './internal-tokens.js';

const account: AccountAssertion = { accountId: 'acc_1', accountKind: 'trial', credentialType: 'api_key', scopes: [] };
const keys = generateInternalKeys();

function tokensOf(service: ContextName, clock: ManualClock, from = keys): Promise<InternalTokens> {
  return InternalTokens.create({ service, signingKey: from.signingKeys[service], jwks: keys.jwks, clock });
}

describe('internal tokens', () => {
  it('say which service calls, for less than a minute', async () => {
    const clock = new ManualClock(1_750_000_000_000);
    const [billing, execution] = [await tokensOf('billing', clock), await tokensOf('execution', clock)];
    const token = await execution.serviceToken('billing');
    expect(await billing.verifyService(token)).toBe('execution');
    clock.advanceMs(61_000);
    await expect(billing.verifyService(token)).rejects.toThrow(InvalidInternalToken);
  });

  it('are accepted by the service that they were signed for, and by no other', async () => {
    const clock = new ManualClock(1_750_000_000_000);
    const [billing, execution] = [await tokensOf('billing', clock), await tokensOf('execution', clock)];
    const gateway = await tokensOf('gateway', clock);
    const token = await gateway.serviceToken('execution');
    expect(await execution.verifyService(token)).toBe('gateway');
    await expect(billing.verifyService(token)).rejects.toThrow(InvalidInternalToken);
    expect(await gateway.serviceToken('billing')).not.toBe(token);
  });

  it('are signed once and renewed before they expire', async () => {
    const clock = new ManualClock(1_750_000_000_000);
    const [billing, execution] = [await tokensOf('billing', clock), await tokensOf('execution', clock)];
    const first = await execution.serviceToken('billing');
    clock.advanceMs(30_000);
    expect(await execution.serviceToken('billing')).toBe(first);
    clock.advanceMs(10_000);
    const second = await execution.serviceToken('billing');
    expect(second).not.toBe(first);
    clock.advanceMs(20_000);
    expect(await billing.verifyService(second)).toBe('execution');
  });

  it('vouch for an account only when the gateway signed them', async () => {
    const clock = new ManualClock(1_750_000_000_000);
    const [gateway, billing] = [await tokensOf('gateway', clock), await tokensOf('billing', clock)];
    expect(await billing.verifyAssertion(await gateway.signAssertion(account))).toEqual(account);
    await expect(billing.verifyAssertion(await billing.signAssertion(account))).rejects.toThrow(/only the gateway/);
    // The registry runs examples of tools on one account that is nobody's.
    const registry = await tokensOf('registry', clock);
    const own = { ...account, accountId: VERIFICATION_ACCOUNT_ID };
    expect(await billing.verifyAssertion(await registry.signAssertion(own))).toEqual(own);
    await expect(billing.verifyAssertion(await registry.signAssertion(account))).rejects.toThrow(/only the gateway/);
    await expect(billing.verifyAssertion(await billing.signAssertion(own))).rejects.toThrow(/only the gateway/);
  });

  it('of one kind do not pass for the other', async () => {
    const clock = new ManualClock(1_750_000_000_000);
    const gateway = await tokensOf('gateway', clock);
    await expect(gateway.verifyService(await gateway.signAssertion(account))).rejects.toThrow(InvalidInternalToken);
    await expect(gateway.verifyAssertion(await gateway.serviceToken('gateway'))).rejects.toThrow(InvalidInternalToken);
    expect(await gateway.verifyService(await gateway.serviceToken('gateway'))).toBe('gateway');
  });

  it('of a foreign key or without a signature are refused', async () => {
    const clock = new ManualClock(1_750_000_000_000);
    const billing = await tokensOf('billing', clock);
    const foreignKeys = generateInternalKeys();
    const foreign = await InternalTokens.create({
      service: 'execution',
      signingKey: foreignKeys.signingKeys.execution,
      jwks: foreignKeys.jwks,
      clock,
    });
    await expect(billing.verifyService(await foreign.serviceToken('billing'))).rejects.toThrow(InvalidInternalToken);
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = `${encode({ alg: 'none', typ: 'service+jwt', kid: 'gateway' })}.${encode({ iss: 'gateway', aud: 'billing' })}.`;
    await expect(billing.verifyService(unsigned)).rejects.toThrow(InvalidInternalToken);
    await expect(billing.verifyService('x'.repeat(10_000))).rejects.toThrow(/too long/);
  });

  it('cannot be created from keys that do not belong together', async () => {
    const clock = new ManualClock(0);
    await expect(tokensOf('billing', clock, generateInternalKeys())).rejects.toThrow(
      /public key of INTERNAL_SIGNING_KEY/,
    );
    const options = { service: 'billing', signingKey: keys.signingKeys.billing, clock } as const;
    await expect(InternalTokens.create({ ...options, jwks: { keys: [] } })).rejects.toThrow(/INTERNAL_JWKS/);
    const published = { keys: Object.values(keys.signingKeys) };
    await expect(InternalTokens.create({ ...options, jwks: published })).rejects.toThrow(/private key/);
  });

  it('derives secrets that replicas share, and that differ by service, purpose and key', async () => {
    const clock = new ManualClock(0);
    const secretOf = async (service: 'identity' | 'billing', purpose: string, of = keys): Promise<string> => {
      const options = { service, signingKey: of.signingKeys[service], jwks: of.jwks, clock };
      return (await InternalTokens.create(options)).secretsFor(purpose)[0].toString('hex');
    };
    const one = await secretOf('identity', 'a');
    expect(one).toHaveLength(64);
    expect(await secretOf('identity', 'a')).toBe(one);
    const others = [
      secretOf('identity', 'b'),
      secretOf('billing', 'a'),
      secretOf('identity', 'a', generateInternalKeys()),
    ];
    expect(new Set([one, ...(await Promise.all(others))]).size).toBe(4);
  });

  describe('whose keys are rotated in three steps', () => {
    const { known, signing, over } = rotateInternalKeys(keys);
    const steps = [keys, known, signing, over] as const;
    const at = (step: (typeof steps)[number], service: ContextName, clock: ManualClock): Promise<InternalTokens> =>
      InternalTokens.create({ service, signingKey: step.signingKeys[service], jwks: step.jwks, clock });

    it('are taken by replicas of a step from those of the step before, and the other way round', async () => {
      const clock = new ManualClock(1_750_000_000_000);
      for (const [index, step] of steps.slice(1).entries()) {
        const [older, newer] = await Promise.all(
          [steps[index] ?? keys, step].map(async (of) => ({
            gateway: await at(of, 'gateway', clock),
            billing: await at(of, 'billing', clock),
          })),
        );
        if (older === undefined || newer === undefined) throw new Error('no step');
        for (const [from, to] of [
          [older, newer],
          [newer, older],
        ] as const) {
          expect(await to.billing.verifyService(await from.gateway.serviceToken('billing'))).toBe('gateway');
          expect(await to.billing.verifyAssertion(await from.gateway.signAssertion(account))).toEqual(account);
        }
      }
    });

    it('are refused when they are of the keys of before, once it is over', async () => {
      const clock = new ManualClock(1_750_000_000_000);
      const token = await (await at(known, 'gateway', clock)).serviceToken('billing');
      await expect((await at(over, 'billing', clock)).verifyService(token)).rejects.toThrow(/key is unknown/);
    });

    it('open what was sealed before, on either side of a step, until it is over', async () => {
      const clock = new ManualClock(0);
      const secrets = await Promise.all(
        steps.map(async (step) =>
          (await at(step, 'identity', clock)).secretsFor('a').map((one) => one.toString('hex')),
        ),
      );
      const [[old] = [], , [made] = []] = secrets;
      expect(secrets).toEqual([[old], [old, made], [made, old], [made]]);
      expect(old).not.toBe(made);
    });

    it('of one service do not pass for those of another', async () => {
      const clock = new ManualClock(1_750_000_000_000);
      const ofBilling = over.signingKeys.billing;
      const disguised = {
        keys: over.jwks.keys.map((jwk) =>
          jwk.kid?.startsWith('gateway.') === true ? { ...jwk, x: ofBilling.x } : jwk,
        ),
      };
      const forged = await InternalTokens.create({
        service: 'gateway',
        signingKey: ofBilling,
        jwks: disguised as never,
        clock,
      });
      const execution = await at(over, 'execution', clock);
      await expect(execution.verifyService(await forged.serviceToken('execution'))).rejects.toThrow(
        InvalidInternalToken,
      );
    });

    it('are named by services, each id once, and not without end', async () => {
      const create = (jwks: { readonly keys: readonly object[] }): Promise<InternalTokens> =>
        InternalTokens.create({
          service: 'billing',
          signingKey: keys.signingKeys.billing,
          jwks,
          clock: new ManualClock(0),
        });
      const [first] = keys.jwks.keys;
      await expect(create({ keys: [...keys.jwks.keys, { ...first, kid: 'nobody.2' }] })).rejects.toThrow(
        /unknown service "nobody.2"/,
      );
      await expect(create({ keys: [...keys.jwks.keys, { ...first }] })).rejects.toThrow(
        /two keys "gateway"; name one "gateway\.<text>"/,
      );
      const many = Array.from({ length: 4 }, (_, index) => ({ ...first, kid: `gateway.${index}` }));
      await expect(create({ keys: [...keys.jwks.keys, ...many] })).rejects.toThrow(/more than 4 keys of "gateway"/);
    });
  });
});
