import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountAssertion } from '@capability-router/contracts';
import { newAccount, RunningRegistry, type Answer } from '../test-support/running-registry.js';
import { startLibraryApi, type LibraryApi } from './test-support/library-api.js';

const admin: AccountAssertion = { ...newAccount(), scopes: ['admin'] };

let registry: RunningRegistry;
let library: LibraryApi;
beforeAll(async () => {
  library = await startLibraryApi();
  registry = await RunningRegistry.start();
});
afterAll(async () => {
  await registry.stop();
  await library.close();
});

const post = (path: string, body: unknown): Promise<Answer> =>
  registry.post({ url: `/admin/v1/sources/${path}`, body, account: admin });
const provider = (id: string) => ({
  provider_id: id,
  egress: { allow_http: true, allow_networks: ['127.0.0.0/8'] },
});
const countsOf = async (answer: Promise<Answer>): Promise<unknown> =>
  ((await answer).body['data'] as { counts?: unknown } | undefined)?.counts;

describe('the address of a source', () => {
  it('is read whole, and shown without the values of its query', async () => {
    const url = `${library.origin}/openapi.json?key=s3cret&raw`;
    expect(await countsOf(post('openapi', { provider: provider('masked'), url }))).toEqual({ created: 3, skipped: 1 });
    const list = await registry.get({ url: '/admin/v1/sources?limit=200', account: admin });
    expect(list.text).toContain(`${library.origin}/openapi.json?key=***&***`);
    expect(list.text).not.toContain('s3cret');
    expect(await countsOf(post('masked:refresh', undefined))).toEqual({ unchanged: 3, skipped: 1 });
    const missing = await post('openapi', { provider: provider('faulty'), url: `${library.origin}/no?key=s3cret` });
    expect([missing.status, missing.text]).toEqual([422, expect.stringContaining('/no?key=*** answered 404')]);
    expect(missing.text).not.toContain('s3cret');
    const server = { transport: 'streamable_http', url: `${library.origin}/no?key=s3cret` };
    const unlisted = await post('mcp', { provider: provider('faulty'), server });
    expect([unlisted.status, unlisted.text]).toEqual([422, expect.not.stringContaining('s3cret')]);
  });

  it.each<[string, string, object, string[]]>([
    ['url', 'openapi', { url: 'https://me:s3cret@a.example/openapi.json' }, ['body', 'url']],
    ['server_url', 'openapi', { document: '{}', server_url: 'https://s3cret@a.example' }, ['body', 'server_url']],
    [
      'server.url',
      'mcp',
      { server: { transport: 'streamable_http', url: 'https://me:s3cret@a.example/mcp' } },
      ['body', 'server', 'url'],
    ],
    ['too long', 'openapi', { url: `https://a.example/?key=s3cret${'x'.repeat(2_000)}` }, ['body', 'url']],
  ])(
    'with a user or a password is refused, and not repeated, nor is one at fault otherwise: %s',
    async (_what, kind, over, loc) => {
      const answer = await post(kind, { provider: provider('faulty'), ...over });
      expect(answer.status).toBe(422);
      expect(answer.body['detail']).toEqual([expect.objectContaining({ loc })]);
      expect(answer.text).not.toContain('s3cret');
    },
  );
});

describe('a source whose server is away', () => {
  const refusedOf = ({ status, body }: Answer): unknown[] => [status, body['code'], body['detail']];
  const again = [503, 'service_unavailable', undefined];

  it('may be asked for again, by its first import and by a refresh', async () => {
    const leaving = await startLibraryApi();
    const request = { provider: provider('leaving'), url: `${leaving.origin}/openapi.json?key=s3cret` };
    expect(await countsOf(post('openapi', request))).toEqual({ created: 3, skipped: 1 });
    await leaving.close();
    const refreshed = await post('leaving:refresh', undefined);
    expect(refusedOf(refreshed)).toEqual(again);
    expect(refreshed.body).toMatchObject({
      message: `${leaving.origin}/openapi.json?key=*** could not be read: No connection to the provider could be made. Nothing was changed.`,
      next_step: 'Send the same request again when the source answers; look at its address where it never did.',
    });
    const server = { transport: 'streamable_http', url: `${leaving.origin}/mcp?key=s3cret` };
    const unlisted = await post('mcp', { provider: provider('leaving-too'), server });
    expect([refusedOf(unlisted), unlisted.text]).toEqual([again, expect.not.stringContaining('s3cret')]);
  });

  it.each([
    [503, again],
    [429, again],
    [404, [422, 'validation_error', [expect.objectContaining({ loc: ['body', 'url'] })]]],
    [403, [422, 'validation_error', [expect.objectContaining({ loc: ['body', 'url'] })]]],
  ])('and one that answers %i is told by what that says', async (status, told) => {
    const url = `${library.origin}/status/${status}`;
    expect(refusedOf(await post('openapi', { provider: provider('answering'), url }))).toEqual(told);
  });
});
