import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountAssertion } from '@capability-router/contracts';
import { newAccount, RunningRegistry, type Answer } from '../test-support/running-registry.js';
import type { ImportReport } from './import-source.js';
import { startEverythingServer } from './test-support/everything-server.js';
import { libraryDocument, startLibraryApi, type LibraryApi } from './test-support/library-api.js';

const everythingServer = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const admin: AccountAssertion = { ...newAccount(), scopes: ['admin'] };
/** The operator opens the loopback for one provider. */
const loopback = { allow_http: true, allow_networks: ['127.0.0.0/8'] };

let registry: RunningRegistry;
let library: LibraryApi;
beforeAll(async () => {
  library = await startLibraryApi();
  const commands = { everything: { command: process.execPath, args: [everythingServer, 'stdio'] } };
  registry = await RunningRegistry.start(undefined, { MCP_STDIO_COMMANDS: JSON.stringify(commands) });
});
afterAll(async () => {
  await registry.stop();
  await library.close();
});

const post = (path: string, body: unknown, account = admin): Promise<Answer> =>
  registry.post({ url: `/admin/v1/sources/${path}`, body, account });
const provider = (id: string, over: object = {}) => ({ provider_id: id, egress: loopback, ...over });
async function report(answer: Promise<Answer>): Promise<ImportReport> {
  const { status, body, text } = await answer;
  if (status !== 200) throw new Error(text);
  return body['data'] as ImportReport;
}
const resultsOf = ({ tools }: ImportReport): string[] => tools.map(({ key, result }) => `${key} ${result}`);
const toolOf = async (id: string): Promise<Record<string, unknown>> => {
  const read = await registry.get({ url: `/admin/v1/tools/${id}`, account: admin });
  return read.body['data'] as Record<string, unknown>;
};

describe('an OpenAPI document', () => {
  it('becomes tools that can be called, once', async () => {
    const body = { provider: provider('village'), url: `${library.origin}/openapi.json` };
    const dry = await report(post('openapi', { ...body, dry_run: true }));
    expect(dry.counts).toEqual({ created: 3, skipped: 1 });
    expect((await registry.get({ url: '/admin/v1/providers/village', account: admin })).status).toBe(404);
    const first = await report(post('openapi', body));
    expect(first).toMatchObject({
      review: false,
      document: { title: 'Village library', openapi: '3.0.3', faults: [] },
    });
    expect(resultsOf(first)).toEqual([
      'GET /books created',
      'POST /books created',
      'GET /books/{isbn} created',
      'GET /cover skipped',
    ]);
    expect(first.tools.map(({ tool_id }) => tool_id)).toEqual([
      'village.books.list.v1',
      'village.book.add.v1',
      'village.books.get.v1',
      undefined,
    ]);
    expect(first.tools.at(-1)?.reason).toMatch(/image\/png/);
    expect((await report(post('openapi', body))).counts).toEqual({ unchanged: 3, skipped: 1 });
    expect((await report(post('village:refresh', {}))).counts).toEqual({ unchanged: 3, skipped: 1 });
    const read = await registry.get({ url: '/admin/v1/providers/village', account: admin });
    expect(read.body['data']).toMatchObject({
      source: 'openapi:village',
      manifest: { name: { en: 'Village library' }, description: { en: 'Books of the village and who has them.' } },
    });
    expect(await toolOf('village.book.add.v1')).toMatchObject({
      status: 'published',
      manifest: {
        parameters_schema: {
          properties: {
            title: { type: 'string', minLength: 1 },
            pages: { type: 'integer', exclusiveMinimum: 0 },
            sequelOf: { $ref: '#/$defs/NewBook' },
          },
          required: ['title'],
          additionalProperties: false,
        },
        binding: { kind: 'http', method: 'POST', url: `${library.origin}/v1/books` },
      },
    });
  });

  it('that has changed waits until it is approved; what callers see stays', async () => {
    const body = { provider: provider('changing'), url: `${library.origin}/openapi.json` };
    await report(post('openapi', body));
    const document = structuredClone(library.document) as {
      paths: Record<string, Record<string, { parameters?: unknown[]; summary?: string }>>;
    };
    const list = document.paths['/books']?.['get'];
    list?.parameters?.push({ name: 'year', in: 'query', schema: { type: 'integer' } });
    delete document.paths['/books/{isbn}'];
    document.paths['/shelves'] = { get: { summary: 'List shelves' } };
    const before = library.document;
    library.document = document;
    try {
      const again = await report(post('changing:refresh', {}));
      expect(again.review).toBe(true);
      expect(again.counts).toEqual({ quarantined: 2, unchanged: 1, skipped: 1 });
      expect(again.absent).toEqual({ action: 'keep', tool_ids: ['changing.books.get.v1'] });
      expect((await report(post('changing:refresh', {}))).counts).toEqual(again.counts);
      expect(await toolOf('changing.books.list.v1')).toMatchObject({ status: 'published', version: 1 });
      const approve = await registry.post({
        url: '/admin/v1/tools/changing.books.list.v1:approve',
        body: {},
        account: admin,
      });
      expect(approve.status).toBe(200);
      expect(await toolOf('changing.books.list.v1')).toMatchObject({ version: 2 });
      expect((await report(post('changing:refresh', { dry_run: true }))).counts).toMatchObject({
        unchanged: 2,
        quarantined: 1,
      });
      const retired = await report(post('openapi', { ...body, absent: 'retire' }));
      expect(retired.absent).toEqual({ action: 'retire', tool_ids: ['changing.books.get.v1'] });
    } finally {
      library.document = before;
    }
  });

  it('that still names an operation which can no longer be a tool has its tool retired by nobody', async () => {
    const document = structuredClone(library.document) as { paths: Record<string, Record<string, object>> };
    const send = () => {
      const server_url = 'https://library.example/v1';
      const body = { provider: provider('naming'), document: structuredClone(document), server_url, absent: 'retire' };
      return report(post('openapi', body));
    };
    await send();
    const { '/books': books, '/books/{isbn}': book } = document.paths;
    Object.assign(books?.['get'] ?? {}, { deprecated: true });
    Object.assign(book?.['get'] ?? {}, {
      responses: { 200: { description: 'A scan.', content: { 'image/png': {} } } },
    });
    delete books?.['post'];
    const again = await send();
    expect(resultsOf(again)).toEqual(['GET /books skipped', 'GET /books/{isbn} skipped', 'GET /cover skipped']);
    expect(again.absent).toEqual({ action: 'retire', tool_ids: ['naming.book.add.v1'] });
    expect(await toolOf('naming.books.list.v1')).toMatchObject({ status: 'published' });
    document.paths['/books'] = { $ref: '#/components/nothing' } as never;
    const broken = await send();
    expect(resultsOf(broken)).toContain('/books skipped');
    expect(broken.absent.tool_ids).toEqual([]);
  });

  it('is taken from the request, in YAML, filtered, priced, and belongs to a provider that is there', async () => {
    const manifest = {
      kind: 'provider',
      provider_id: 'handmade',
      name: { en: 'Hand' },
      description: { en: 'Made.' },
      egress: loopback,
    };
    await registry.put({ url: '/admin/v1/providers/handmade', body: manifest, account: admin });
    const text = JSON.stringify(libraryDocument(library.origin), null, 1);
    const yaml = `# a comment makes it YAML\n${text}`;
    const body = {
      provider: { provider_id: 'handmade' },
      source_id: 'handmade-books',
      document: yaml,
      server_url: `${library.origin}/v1`,
      include: ['GET *'],
      exclude: ['*cover*'],
      price: { amount_credits: '0.5' },
    };
    const taken = await report(post('openapi', body));
    expect(resultsOf(taken)).toEqual(['GET /books created', 'GET /books/{isbn} created']);
    expect(await toolOf('handmade.books.get.v1')).toMatchObject({ manifest: { price: { amount_credits: '0.5' } } });
    expect((await post('handmade-books:refresh', {})).status).toBe(409);
    const renamed = await post('openapi', { ...body, provider: { provider_id: 'handmade', name: { en: 'Other' } } });
    expect(renamed.status).toBe(409);
    const listed = await registry.get({ url: '/admin/v1/sources?limit=200', account: admin });
    expect(JSON.stringify(listed.body['data'])).toContain('"source_id":"handmade-books"');
  });

  it('reads other documents only where that is allowed', async () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'x', version: '1' },
      servers: [{ url: library.origin }],
      paths: { '/a': { get: { parameters: [{ $ref: `${library.origin}/parts.json#/Limit` }], responses: {} } } },
    };
    const body = { provider: provider('parts'), document, dry_run: true };
    const closed = await report(post('openapi', body));
    expect(closed.tools).toEqual([
      expect.objectContaining({ result: 'skipped', reason: expect.stringMatching(/leads out/) }),
    ]);
    expect(library.requests).not.toContain('GET /parts.json');
    expect((await report(post('openapi', { ...body, allow_external_refs: true }))).counts).toEqual({ created: 1 });
    const guarded = { ...body, provider: { provider_id: 'parts' }, allow_external_refs: true };
    const refused = await post('openapi', guarded);
    expect([refused.status, refused.text]).toEqual([422, expect.stringMatching(/not allowed/)]);
  });
});

describe('an MCP server', () => {
  it('started by a command of the operator becomes tools', async () => {
    const server = { transport: 'stdio', command: 'everything' };
    const body = { provider: { provider_id: 'everything' }, server };
    const first = await report(post('mcp', body));
    expect(first.counts['created']).toBeGreaterThan(5);
    expect(first.tools).toContainEqual(expect.objectContaining({ key: 'get-sum', tool_id: 'everything.sum.get.v1' }));
    expect(await toolOf('everything.sum.get.v1')).toMatchObject({
      manifest: { binding: { kind: 'mcp', server, tool: 'get-sum' }, parameters_schema: { required: ['a', 'b'] } },
    });
    expect((await report(post('everything:refresh', {}))).counts['unchanged']).toBe(first.counts['created']);
    expect((await post('openapi', { provider: { provider_id: 'everything' }, document: '{}' })).status).toBe(409);
  }, 120_000);

  it('over streamable HTTP gives the same tools, found and shown', async () => {
    const overHttp = await startEverythingServer();
    try {
      const server = { transport: 'streamable_http', url: overHttp.url };
      const first = await report(post('mcp', { provider: provider('everyhttp'), server, categories: ['geography'] }));
      const overStdio = {
        provider: { provider_id: 'everystdio' },
        server: { transport: 'stdio', command: 'everything' },
      };
      expect(resultsOf(first)).toEqual(resultsOf(await report(post('mcp', overStdio))));
      const found = await registry.post({
        url: '/admin/v1/sources/mcp',
        body: { ...overStdio, include: ['get-*'], dry_run: true },
        account: admin,
      });
      expect((found.body['data'] as ImportReport).tools.every(({ key }) => key.startsWith('get-'))).toBe(true);
    } finally {
      await overHttp.stop();
    }
    const gone = await post('everyhttp:refresh', {});
    expect([gone.status, gone.text]).toEqual([503, expect.stringMatching(/\/mcp could not be read: No connection/)]);
  }, 120_000);

  it.each([
    ['a command line', { transport: 'stdio', command: 'node -e 1' }],
    ['a command that is not configured', { transport: 'stdio', command: 'rm' }],
    ['an inner address', { transport: 'streamable_http', url: 'http://127.0.0.1:1/mcp' }],
  ])('by %s is refused with 422', async (_what, server) => {
    expect((await post('mcp', { provider: { provider_id: 'nobody' }, server })).status).toBe(422);
  });
});

describe('an import that cannot be done', () => {
  it.each<[string, object, string]>([
    ['neither document nor URL', {}, 'url'],
    ['both', { url: 'https://example.com', document: {} }, 'url'],
    ['no OpenAPI', { document: '{"paths": {}}' }, 'document'],
    ['Swagger 2.0', { document: '{"swagger": "2.0", "paths": {}}' }, 'document'],
    ['broken YAML', { document: 'a: [1\nb: }' }, 'document'],
    ['an unknown field', { document: '{}', colour: 'red' }, 'colour'],
    ['seven decimals', { document: '{}', price: { amount_credits: '0.0000001' } }, 'amount_credits'],
    ['an address of another kind', { url: 'file:///etc/passwd' }, 'url'],
  ])('with %s is answered 422 with the field', async (_what, over, field) => {
    const answer = await post('openapi', { provider: provider('faulty'), ...over });
    expect(answer.status).toBe(422);
    expect(JSON.stringify((answer.body['detail'] as { loc: unknown[] }[]).map(({ loc }) => loc))).toContain(
      `"${field}"`,
    );
  });

  it('with a zero character in its id is not there', async () => {
    expect((await post('a%00b:refresh', {})).status).toBe(404);
  });

  it('is answered for what is too large, not there, or guarded', async () => {
    const at = (path: string, over = {}) =>
      post('openapi', { provider: provider('faulty', over), url: `${library.origin}${path}` });
    const large = await at('/large.json');
    expect([large.status, large.text]).toEqual([422, expect.stringMatching(/larger than/)]);
    expect((await at('/nowhere')).text).toMatch(/answered 404/);
    expect((await at('/openapi.json', { egress: { allow_http: true } })).status).toBe(422);
    const huge = await post('openapi', { provider: provider('faulty'), document: 'x'.repeat(50_000_000) });
    expect(huge.status).toBe(413);
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x,x]',
      ...[...'bcdefghi'].map((name, i) => `${name}: &${name} [${Array(10).fill(`*${'abcdefgh'[i]}`).join(',')}]`),
    ];
    const exploded = await post('openapi', { provider: provider('faulty'), document: bomb.join('\n') });
    expect([exploded.status, exploded.text]).toEqual([422, expect.stringMatching(/more than 3000000 values/)]);
    for (const deep of [
      `${'['.repeat(200_000)}`,
      `{"openapi":"3.1.0","paths":{"/a":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}}`,
    ]) {
      expect((await post('openapi', { provider: provider('faulty'), document: deep })).status).toBe(422);
    }
    expect((await registry.get({ url: '/admin/v1/providers/faulty', account: admin })).status).toBe(404);
    expect((await post('openapi', {}, newAccount())).status).toBe(403);
    for (const [target, what] of [
      ['faulty:refresh', 'no source'],
      ['faulty:explode', ':refresh'],
    ] as const) {
      const missing = await post(target, {});
      expect([missing.status, missing.text]).toEqual([404, expect.stringContaining(what)]);
    }
  }, 120_000);
});
