import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiKeyScopes } from '@capability-router/contracts';
import { keyOf, RunningGateway } from '../test-support/running-gateway.js';
import { authenticatedRoutes, pathOf, requestOf } from '../test-support/route-paths.js';
import { toldError } from '../test-support/told-error.js';

/** These are paths of the catalogue, which every key may see. */
const openToEveryKey = ['/api/v1/providers', '/api/v1/providers/categories'];

/** Which scope opens which path; the first that fits. */
const expected: readonly (readonly [RegExp, string])[] = [
  [/^\/admin\//, 'admin'],
  [/^\/api\/v1\/auth\/(provider-credentials|api-keys|oauth-consents|projects|security-log)/, 'manage'],
  [/^\/api\/v1\/(auth\/(credits|usage|account)|credits)/, 'read'],
  [/^\/api\/v1\/(search|tools|capabilities)/, 'call'],
];
const scopeOf = (path: string): string | undefined => expected.find(([pattern]) => pattern.test(path))?.[1];

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = new RunningGateway();
  apiKeyScopes.forEach((scope, index) => gateway.scopesOfKey.set(keyOf(index + 1), [scope]));
  await gateway.start({ RATE_LIMIT_READ: '100000' });
});
afterAll(() => gateway.stop());

describe.each(authenticatedRoutes)('%s', (_name, route) => {
  it('is open to keys with its scope, and refuses every other with 403 and the name of the scope', async () => {
    const wanted = openToEveryKey.includes(route.path) ? undefined : scopeOf(route.path);
    if (!openToEveryKey.includes(route.path)) expect(wanted).toBeDefined();
    for (const [index, scope] of apiKeyScopes.entries()) {
      const reply = await gateway.fetch(pathOf(route), requestOf(route), keyOf(index + 1));
      if (wanted === undefined || wanted === scope) {
        await reply.arrayBuffer();
        expect([scope, reply.status]).not.toEqual([scope, 403]);
      } else {
        expect([scope, reply.status, await reply.json()]).toEqual([
          scope,
          403,
          {
            status: 'failure',
            ...toldError('insufficient_scope'),
            scope: wanted,
            message: expect.stringContaining(`"${wanted}"`),
          },
        ]);
      }
    }
  });
});
