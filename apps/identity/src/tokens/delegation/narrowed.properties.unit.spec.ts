import { describe, expect, it } from '@jest/globals';
import { apiKeyScopes, type AccountAssertion, type VerifiedCredential } from '@capability-router/contracts';
import { requireDelegated } from '@capability-router/service-kit';
import fc from 'fast-check';
import { Form } from '../form.js';
import { delegable, narrowed, type Delegation } from './narrowed.js';
import { MAX_DELEGATION_SECONDS, requestedDelegation } from './requested-delegation.js';

/** TEST_SEED plays the same values again; a failure prints it. */
const seed = process.env['TEST_SEED'];
const runs = { numRuns: 500, ...(seed === undefined ? {} : { seed: Number(seed) }) };
const NOW = Date.UTC(2026, 0, 15, 10);

const someOf = <T>(values: readonly T[]) => fc.subarray([...values]);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const anyMicro = fc.integer({ min: 1, max: 1_000_000_000 }).map(String);
const anyBudgets = fc.record(
  {
    key: fc.record({ limitMicroCredits: anyMicro, period: fc.constantFrom('total', 'day', 'month') }),
    session: fc.record({ limitMicroCredits: anyMicro }),
    project: fc.record({ limitMicroCredits: anyMicro, period: fc.constantFrom('total', 'day', 'month') }),
  },
  { requiredKeys: [] },
);
const anyParent = fc
  .record({
    scopes: someOf(apiKeyScopes),
    budgets: maybe(anyBudgets),
    apiKeyId: maybe(fc.constant('key-1')),
    maxCallMicroCredits: maybe(anyMicro),
    blocked: fc.boolean(),
    leftMs: maybe(fc.integer({ min: 1, max: 3_600_000 })),
    endsWith: fc.array(fc.uuid(), { maxLength: 3 }),
  })
  .map(({ scopes, budgets, apiKeyId, maxCallMicroCredits, blocked, leftMs, endsWith }): VerifiedCredential => {
    const assertion: AccountAssertion = {
      accountId: 'acc_1',
      accountKind: 'formal',
      credentialType: 'access_token',
      oauthClientId: 'client_parent',
      scopes,
      ...(blocked ? { accountStatus: 'payment_required' } : {}),
      ...(budgets === undefined ? {} : { budgets }),
      ...(apiKeyId === undefined ? {} : { apiKeyId }),
      ...(maxCallMicroCredits === undefined ? {} : { maxCallMicroCredits }),
    };
    const expiresAt = leftMs === undefined ? {} : { expiresAt: new Date(NOW + leftMs).toISOString() };
    return { valid: true, assertion, endsWith, ...expiresAt };
  });

const models = ['m-1', 'm-2'];
const runIds = ['r-1', 'r-2'];
const toolIds = ['a.b.c.v1', 'a.b.d.v1', 'e.f.g.v2'];
const providerIds = ['a', 'e', 'h'];
const anyForm = fc
  .record({
    model: maybe(fc.constantFrom(...models)),
    runId: maybe(fc.constantFrom(...runIds)),
    maxCredits: maybe(fc.integer({ min: 1, max: 1_000 })),
    expiresIn: maybe(fc.integer({ min: 1, max: MAX_DELEGATION_SECONDS })),
    tools: someOf(toolIds),
    providers: someOf(providerIds),
  })
  .map((asked) => {
    const { model, runId, maxCredits, expiresIn, tools, providers } = asked;
    const single = { model, run_id: runId, max_credits: maxCredits, expires_in: expiresIn };
    const pairs = Object.entries(single).filter(([, value]) => value !== undefined);
    const lists = [...tools.map((id) => ['tool_ids', id]), ...providers.map((id) => ['provider_ids', id])];
    const form = new URLSearchParams();
    for (const [name, value] of [...pairs, ...lists]) form.append(String(name), String(value));
    return { asked, text: form.toString() };
  });

/** As the grant makes it: the life is cut to that of the parent when it is issued, and again whenever it is verified. */
function exchanged(parent: VerifiedCredential, form: string, clientScopes: readonly string[]) {
  const { constraints, maxCredits, lifetimeSeconds } = requestedDelegation(Form.parse(form));
  const token: Delegation = {
    tokenId: 'token-1',
    clientId: 'client_own',
    scopes: delegable(parent.assertion.scopes, clientScopes),
    expiresAt: new Date(NOW + lifetimeSeconds * 1_000),
    constraints,
    maxCredits,
  };
  return narrowed(parent, token);
}

const endOf = ({ expiresAt }: VerifiedCredential): number =>
  expiresAt === undefined ? Infinity : Date.parse(expiresAt);

describe('an exchange', () => {
  it('never widens: scopes, life, budgets, limits and what ends it', () => {
    fc.assert(
      fc.property(anyParent, anyForm, someOf(apiKeyScopes), (parent, { asked, text }, clientScopes) => {
        const child = exchanged(parent, text, clientScopes);
        const { scopes, budgets, oauthClientId, credentialType, delegation, ...same } = child.assertion;
        for (const scope of scopes) expect(parent.assertion.scopes).toContain(scope);
        for (const scope of scopes) expect(clientScopes).toContain(scope);
        expect(scopes).not.toContain('manage');
        expect(scopes).not.toContain('admin');
        expect(endOf(child)).toBeLessThanOrEqual(endOf(parent));
        expect(endOf(child)).toBeLessThanOrEqual(NOW + MAX_DELEGATION_SECONDS * 1_000);
        expect(credentialType).toBe('delegation_token');
        expect(oauthClientId).toBe('client_own');
        expect(parent.assertion).toMatchObject(same);
        expect(budgets ?? {}).toMatchObject(parent.assertion.budgets ?? {});
        const limit = asked.maxCredits === undefined ? undefined : `${asked.maxCredits}000000`;
        expect(budgets?.delegation?.limitMicroCredits).toBe(limit);
        expect(child.endsWith).toEqual(
          expect.arrayContaining([...(parent.endsWith ?? []), 'client_parent', 'token-1']),
        );
        expect(delegation).toBeDefined();
      }),
      runs,
    );
  });

  it('permits just those requests that every one of its constraints permits', () => {
    const anyRequest = fc.record({
      model: maybe(fc.constantFrom(...models)),
      runId: maybe(fc.constantFrom(...runIds)),
      toolId: fc.constantFrom(...toolIds),
      providerId: fc.constantFrom(...providerIds),
    });
    fc.assert(
      fc.property(anyParent, anyForm, anyRequest, (parent, { asked, text }, request) => {
        const { assertion } = exchanged(parent, text, apiKeyScopes);
        const permitted =
          (asked.model === undefined || asked.model === request.model) &&
          (asked.runId === undefined || asked.runId === request.runId) &&
          (asked.tools.length === 0 || asked.tools.includes(request.toolId)) &&
          (asked.providers.length === 0 || asked.providers.includes(request.providerId));
        const check = () => requireDelegated(assertion, request);
        if (permitted) expect(check).not.toThrow();
        else expect(check).toThrow(expect.objectContaining({ code: 'delegation_constraint', httpStatus: 403 }));
        expect(() => requireDelegated(parent.assertion, request)).not.toThrow();
      }),
      runs,
    );
  });
});
