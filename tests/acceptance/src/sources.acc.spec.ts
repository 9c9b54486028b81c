import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { admin, newAccount, type TestAccount } from './support/accounts.js';
import { adminKey } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { call, send } from './support/http.js';
import { asArray, asObject, type JsonObject } from './support/json.js';
import { startLibraryApi, type LibraryApi } from './support/library-api.js';
import { startMcpServer, type McpTestServer } from './support/mcp-server.js';

/** Providers of this run alone, and a word that no other tool has. */
const run = Date.now().toString(36);
const subject = `quuxland${run}`;
const loopback = { allow_http: true, allow_networks: ['127.0.0.0/8'] };

let account: TestAccount;
let library: LibraryApi;
let mcp: McpTestServer;
beforeAll(async () => {
  [account, library, mcp] = await Promise.all([newAccount(), startLibraryApi(subject), startMcpServer(subject)]);
});
afterAll(() => Promise.all([library.close(), mcp.close()]));

const toolsIn = (report: JsonObject): JsonObject[] => asArray(report['tools'], 'tools').map((tool) => asObject(tool));

async function foundFirst(query: string, toolId: string): Promise<void> {
  await eventually(async () => {
    const reply = await call('POST', '/search', { key: account.key, body: { query, limit: 5 } });
    expect(asObject(asArray(reply.json['results'], 'results')[0])['tool_id']).toBe(toolId);
  });
}

/** Execution's copy of a tool follows the catalogue. */
const calledWith = (toolId: string, parameters: JsonObject): Promise<JsonObject> =>
  eventually(async () => {
    const reply = await execute(account.key, { toolId, parameters });
    expect(reply.json['execution_outcome']).toMatchObject({ outcome: 'success', reason_code: 'result.valid' });
    return asObject(asObject(reply.json['result'], 'result')['data'], 'data');
  });

const refusedWith = (toolId: string, parameters: JsonObject): Promise<void> =>
  eventually(async () => {
    const reply = await execute(account.key, { toolId, parameters });
    expect(reply.status).toBe(422);
  });

describe('an HTTP API with an OpenAPI document', () => {
  it('is imported, found and called; its change waits until it is approved', async () => {
    const toolId = `lib${run}.books.list.v1`;
    const body = { provider: { provider_id: `lib${run}`, egress: loopback }, url: library.documentUrl };
    const dry = await admin('POST', '/sources/openapi', { ...body, dry_run: true });
    expect(dry).toMatchObject({ dry_run: true, counts: { created: 1 } });
    const first = await admin('POST', '/sources/openapi', body);
    expect(toolsIn(first)).toEqual([expect.objectContaining({ tool_id: toolId, result: 'created', version: 1 })]);
    await foundFirst(`books by author in the ${subject} library`, toolId);
    expect(await calledWith(toolId, { author: 'Goethe' })).toEqual({ author: 'Goethe', books: [{ title: 'Faust' }] });

    library.edition = 2;
    const again = await admin('POST', `/sources/lib${run}:refresh`, {});
    expect(toolsIn(again)).toEqual([expect.objectContaining({ tool_id: toolId, result: 'quarantined' })]);
    expect(await calledWith(toolId, { author: 'Schiller' })).toMatchObject({ author: 'Schiller' });
    await refusedWith(toolId, { written_by: 'Schiller' });

    await admin('POST', `/tools/${toolId}:approve`, {});
    expect(await calledWith(toolId, { written_by: 'Heine' })).toMatchObject({ author: 'Heine' });
    await refusedWith(toolId, { author: 'Heine' });
    expect(await admin('POST', `/sources/lib${run}:refresh`)).toMatchObject({ counts: { unchanged: 1 } });
  });

  it('that is led to another host waits, marked as such', async () => {
    const [source, toolId] = [`host${run}`, `host${run}.books.list.v1`];
    const url = `${library.documentUrl}?key=s3cret`;
    const body = { provider: { provider_id: source, egress: loopback }, url };
    expect(await admin('POST', '/sources/openapi', body)).toMatchObject({ counts: { created: 1 } });
    const server_url = new URL('/v1', library.documentUrl.replace('127.0.0.1', 'localhost')).href;
    expect(await admin('POST', '/sources/openapi', { ...body, server_url })).toMatchObject({
      counts: { quarantined: 1 },
    });
    const waiting = await admin('GET', `/tools?status=quarantined&provider_id=${source}`);
    expect(waiting['items']).toEqual([
      expect.objectContaining({ tool_id: toolId, breaking: false, changes_destination: true }),
    ]);
    expect(await admin('GET', `/tools/${toolId}/versions/1/diff/proposal`)).toMatchObject({
      changes_destination: true,
      changes: [{ path: 'binding.url', impact: 'destination', after: new URL(server_url).origin }],
    });
    await admin('POST', `/tools/${toolId}:reject`);
    const sources = JSON.stringify(await admin('GET', '/sources?limit=200'));
    expect(sources).toContain(`${library.documentUrl}?key=***`);
    expect(sources).not.toContain('s3cret');
  });
});

describe('an MCP server', () => {
  it('is imported, found and called; its change waits until it is approved', async () => {
    const toolId = `mcp${run}.depth.measure.v1`;
    const server = { transport: 'streamable_http', url: mcp.url };
    const body = {
      provider: { provider_id: `mcp${run}`, name: { en: 'Depths' }, description: { en: 'Waters.' }, egress: loopback },
      server,
      price: { amount_credits: '0.25' },
    };
    const first = await admin('POST', '/sources/mcp', body);
    expect(toolsIn(first)).toEqual([
      expect.objectContaining({ key: 'measure-depth', tool_id: toolId, result: 'created' }),
    ]);
    await foundFirst(`how deep is the water of ${subject}`, toolId);
    expect(await calledWith(toolId, { place: 'pier' })).toEqual({ depth_m: 12, asked: { place: 'pier' } });

    mcp.parameter = 'position';
    const again = await admin('POST', `/sources/mcp${run}:refresh`, {});
    expect(toolsIn(again)).toEqual([expect.objectContaining({ tool_id: toolId, result: 'quarantined' })]);
    expect(await calledWith(toolId, { place: 'pier' })).toMatchObject({ depth_m: 12 });

    await admin('POST', `/tools/${toolId}:approve`, {});
    expect(await calledWith(toolId, { position: 'buoy' })).toEqual({ depth_m: 12, asked: { position: 'buoy' } });
    const items = asArray((await admin('GET', '/sources?limit=200'))['items'], 'items').map((item) => asObject(item));
    expect(items.map((item) => item['source_id'])).toEqual(expect.arrayContaining([`lib${run}`, `mcp${run}`]));
  });
});

describe('sources', () => {
  it.each([
    ['POST', '/admin/v1/sources/openapi'],
    ['POST', '/admin/v1/sources/mcp'],
    ['POST', `/admin/v1/sources/lib${run}:refresh`],
  ])('need the admin scope: %s %s', async (method, path) => {
    expect((await send(method, path, { key: account.key, body: {} })).status).toBe(403);
  });

  it.each<[string, string, JsonObject, number]>([
    ['openapi', 'no document', {}, 422],
    ['openapi', 'a document that is none', { document: '{"openapi": "3.1.0"}' }, 422],
    ['openapi', 'an inner address', { url: 'https://127.0.0.1:1/openapi.json' }, 422],
    ['openapi', 'a password in the address', { url: 'https://me:pw@a.example/openapi.json' }, 422],
    ['openapi', 'a document of 50 MB', { document: 'x'.repeat(50_000_000) }, 413],
    ['mcp', 'a command line', { server: { transport: 'stdio', command: 'rm -rf x' } }, 422],
  ])('are refused: %s with %s', async (kind, _what, over, status) => {
    const body = { provider: { provider_id: `bad${run}` }, ...over };
    const reply = await send('POST', `/admin/v1/sources/${kind}`, { key: adminKey, body });
    expect(reply.status).toBe(status);
    expect(reply.json['message']).toEqual(expect.stringMatching(/\S/));
  });
});
