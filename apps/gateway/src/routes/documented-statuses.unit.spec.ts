import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PathTemplates } from '@capability-router/contracts/answers';
import { recordedExchanges } from '@capability-router/contracts/testing';
import { adminOperations, publicOperations, type DocumentedOperation } from '../test-support/documented-operations.js';
import { isProvoked, provocations, startGateway } from '../test-support/provocations.js';
import type { RunningGateway } from '../test-support/running-gateway.js';
import { owned } from '../test-support/owned-routes.js';

describe.each(provocations.map((provocation) => [provocation.status, provocation.how, provocation] as const))(
  '%i by %s',
  (status, _how, provocation) => {
    const { concerns = () => true } = provocation;
    const concerned = [...publicOperations, ...adminOperations].filter(
      (operation) => operation.statuses.includes(status) && concerns(operation),
    );
    let gateway: RunningGateway;
    const answered = new Map<DocumentedOperation, number>();
    beforeAll(async () => {
      gateway = await startGateway(provocation);
      // Side by side, since some wait for a time-out.
      await Promise.all(
        concerned.map(async (operation) => answered.set(operation, await provocation.ask(gateway, operation))),
      );
    });
    afterAll(() => gateway.stop());

    it.each(concerned.map((operation) => [`${operation.method} ${operation.template}`, operation] as const))(
      'is answered by %s',
      (_name, operation) => {
        expect(answered.get(operation)).toBe(status);
      },
    );
  },
);

const root = new URL('../../../../', import.meta.url);
const acceptance = (name: string): string => `tests/acceptance/src/${name}.acc.spec.ts`;

/** Which other spec provokes a status that neither the gateway nor a recording has, for real. */
const elsewhere: Readonly<Record<string, string>> = {
  'POST /search 402': 'apps/standalone/src/billed-search.int.spec.ts',
  'POST /tools/execute 404': acceptance('account-states'),
  'POST /capabilities/query 409': acceptance('capability-failover'),
  'HEAD /results/{token} 304': acceptance('results'),
  'HEAD /results/{token} 404': acceptance('results'),
  'GET /auth/usage/history/v2/summary 400': acceptance('documented-statuses'),
  'GET /auth/credits/ledger-readiness 422': acceptance('documented-statuses'),
  'POST /auth/api-keys 409': 'apps/identity/src/api-keys/api-keys.int.spec.ts',
  'POST /auth/projects 409': 'apps/identity/src/project-management/projects.int.spec.ts',
  'PUT /auth/projects/{project_id}/api-keys/{api_key_id} 409': acceptance('documented-statuses'),
  'DELETE /auth/projects/{project_id}/api-keys/{api_key_id} 409': acceptance('documented-statuses'),
  'POST /agent/claim-verify 200': acceptance('claim'),
  'POST /oauth/device/authorize 401': acceptance('documented-statuses'),
  'POST /oauth/introspect 400': acceptance('documented-statuses'),
  'POST /oauth/introspect 401': acceptance('documented-statuses'),
  'POST /oauth/revoke 400': acceptance('documented-statuses'),
  'POST /oauth/revoke 401': acceptance('documented-statuses'),
  'GET /openapi.json 200': 'apps/gateway/src/well-known/openapi.unit.spec.ts',
};

/** Named by the specification, and never answered. */
const never: Readonly<Record<string, string>> = {
  'GET /auth/credits/ledger/{entry_id} 422': 'every text is an id, and one that nobody has is 404',
};

/** By operation and status: `POST /search 200`. */
const named = publicOperations.flatMap((operation) =>
  operation.statuses.map((status) => ({ name: `${operation.name} ${status}`, operation, status })),
);

const byTemplate = new Map(publicOperations.map((one) => [`${one.method} ${one.template}`, one]));
const templates = new PathTemplates(byTemplate.keys());
const operationOf = (method: string, path: string): DocumentedOperation | undefined =>
  byTemplate.get(templates.fitting(`${method} ${path}`)[0] ?? '');

const recorded = new Set(
  recordedExchanges().map(({ method, path, status }) => `${operationOf(method, path)?.name} ${status}`),
);
const ownedByOthers = new Set(
  owned.map(({ method, path }) => {
    const plain = path.replace('AndAction', ':rotate').replaceAll(/:[A-Za-z]+(?=\/|$)/g, 'x');
    return `${operationOf(method, `/api/v1${plain}`)?.name} 404`;
  }),
);

describe('every status that the public OpenAPI document names', () => {
  it('is provoked for real: by the gateway, a recording, an id of another account, or the spec that is named here', () => {
    const provoked = ({ name, operation, status }: (typeof named)[number]): boolean =>
      isProvoked(operation, status) || recorded.has(name) || ownedByOthers.has(name);
    const missing = named.filter((one) => !provoked(one)).map(({ name }) => name);
    expect(missing.sort()).toEqual([...Object.keys(elsewhere), ...Object.keys(never)].sort());
  });

  it.each(Object.entries(elsewhere))('has its spec: %s', (name, spec) => {
    const [, status = ''] = / (\d{3})$/.exec(name) ?? [];
    const text = readFileSync(new URL(spec, root), 'utf8');
    // Below HTTP the refusal has the name that identity answers as 409.
    expect([status, 'too_many_keys'].some((word) => text.includes(word))).toBe(true);
  });
});
