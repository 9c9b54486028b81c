import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunningGateway, unknownKey } from '../test-support/running-gateway.js';
import { authenticatedRoutes, pathOf, requestOf } from '../test-support/route-paths.js';
import { toldError } from '../test-support/told-error.js';

const common = { status: 'failure', status_code: 401, message: 'Invalid API key' };

/** The members that an answer has beside the failure, by path; the first that fits counts. */
const shapes: readonly (readonly [RegExp, object])[] = [
  [/^\/api\/v1\/search$/, { query: '', search_id: 'srch_failed', total: 0, results: [] }],
  [/^\/api\/v1\/tools\/(by-ids|probe)$/, { error: 'Invalid API key' }],
  [/^\/api\/v1\/tools\/execute$/, { data: { guidance: expect.stringContaining('Authorization: Bearer') } }],
  [/^\/api\/v1\/(capabilities|providers)/, {}],
  [/^\/(admin|api\/v1\/(auth|credits|tools\/executions))/, { data: null }],
];

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = new RunningGateway();
  await gateway.start({ RATE_LIMIT_READ: '100000', RATE_LIMIT_INVALID_KEY: '100000' });
});
afterAll(() => gateway.stop());

describe.each(authenticatedRoutes)('%s', (_name, route) => {
  it.each([
    ['without a key', ''],
    ['with a key of another form', 'sk-short'],
    ['with an unknown key', unknownKey],
  ])('answers 401 with its code in the body to a request %s, and asks no service', async (_what, key) => {
    const reply = await gateway.fetch(pathOf(route), requestOf(route), key);
    const [, shape] = shapes.find(([path]) => path.test(pathOf(route))) ?? [];
    expect([reply.status, reply.headers.get('www-authenticate'), await reply.json()]).toEqual([
      401,
      'Bearer resource_metadata="http://localhost/.well-known/oauth-protected-resource/api/v1"',
      { ...common, ...shape, ...toldError('invalid_api_key') },
    ]);
    expect(gateway.upstream.seen).toEqual([]);
    expect(gateway.identity.seen.filter(({ path }) => path !== '/internal/credentials:verify')).toEqual([]);
  });
});
