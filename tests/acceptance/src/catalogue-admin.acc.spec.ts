import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { adminKey } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { call, send, type Reply } from './support/http.js';
import { asObject, type JsonObject } from './support/json.js';

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

/** A word that no other tool has. */
const newWord = (): string => `zq${randomBytes(5).toString('hex').replaceAll(/\d/g, 'k')}`;

const tool = (provider: string, name: string, over: object = {}): JsonObject => ({
  tool_id: `${provider}.gauge.${name}.v1`,
  name: { en: `${provider} ${name}` },
  description: { en: `Reads the ${provider} gauge called ${name}.` },
  parameters_schema: {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: { id: { type: 'string', maxLength: 50 } },
  },
  examples: [{ parameters: { id: 'a-1' } }],
  price: { amount_credits: '0.000001' },
  binding: { kind: 'http', method: 'GET', url: 'https://gauges.example/{id}', placements: { id: { in: 'path' } } },
  ...over,
});
const manifest = (provider: string, tools: JsonObject[], over: object = {}): JsonObject => ({
  provider_id: provider,
  name: { en: provider },
  description: { en: 'Gauges.' },
  tools,
  ...over,
});

const put = (provider: string, body: unknown, query = ''): Promise<Reply> =>
  send('PUT', `/admin/v1/providers/${provider}${query}`, { key: adminKey, body });
const act = (toolId: string, action: string): Promise<Reply> =>
  send('POST', `/admin/v1/tools/${toolId}:${action}`, { key: adminKey });
const data = (reply: Reply): JsonObject => asObject(reply.json['data'], 'data');

async function foundBy(query: string): Promise<unknown[]> {
  const reply = await call('POST', '/search', { key: account.key, body: { query, limit: 5 } });
  return (reply.json['results'] as JsonObject[]).map((result) => result['tool_id']);
}

/** First, and in every replica: requests take them in turn. */
const eventuallyFound = (query: string, toolId: string): Promise<void> =>
  eventually(async () => {
    for (let turn = 0; turn < 4; turn += 1) expect((await foundBy(query))[0]).toBe(toolId);
  });

const eventuallyGone = (query: string, toolId: string): Promise<void> =>
  eventually(async () => {
    for (let turn = 0; turn < 4; turn += 1) expect(await foundBy(query)).not.toContain(toolId);
  });

/** Milliseconds: what is published has to reach every replica. */
const TIMEOUT_MS = 180_000;

describe('the manifest of a provider', () => {
  it(
    'makes tools that agents find and inspect, and its repetition changes nothing',
    async () => {
      const word = newWord();
      const [toolId, document] = [`${word}.gauge.level.v1`, manifest(word, [tool(word, 'level')])];
      const dry = await put(word, document, '?dry_run=true');
      expect(data(dry)).toMatchObject({ dry_run: true, tools: [{ tool_id: toolId, result: 'created' }] });
      const created = await put(word, document);
      expect(created.status).toBe(200);
      expect(data(created)).toMatchObject({
        provider: { result: 'created' },
        tools: [{ result: 'created', version: 1 }],
      });
      await eventuallyFound(word, toolId);
      const inspected = await call('POST', '/tools/by-ids', { key: account.key, body: { tool_ids: [toolId] } });
      expect(inspected.json['results']).toEqual([expect.objectContaining({ tool_id: toolId, provider_id: word })]);
      expect(data(await put(word, document))).toMatchObject({
        provider: { result: 'unchanged' },
        tools: [{ result: 'unchanged' }],
      });
    },
    TIMEOUT_MS,
  );

  it(
    'retires what it leaves out, for good, and keeps the versions that it replaces',
    async () => {
      const word = newWord();
      const toolId = `${word}.gauge.level.v1`;
      await put(word, manifest(word, [tool(word, 'level')]));
      const dearer = tool(word, 'level', { price: { amount_credits: 0.5 } });
      expect(data(await put(word, manifest(word, [dearer])))).toMatchObject({
        tools: [{ version: 2, breaking: false }],
      });
      const diff = await send('GET', `/admin/v1/tools/${toolId}/versions/1/diff/2`, { key: adminKey });
      expect(data(diff)).toMatchObject({
        breaking: false,
        costs_more: true,
        changes: [{ path: 'price', before: { amount_credits: '0.000001' }, after: { amount_credits: '0.5' } }],
      });
      await eventuallyFound(word, toolId);
      const { tools: _tools, ...alone } = manifest(word, []) as { tools: unknown };
      expect(data(await put(word, alone))).toMatchObject({ tools: [], retired: [] });
      expect(data(await put(word, manifest(word, [])))['retired']).toEqual([toolId]);
      await eventuallyGone(word, toolId);
      const read = await send('GET', `/admin/v1/tools/${toolId}`, { key: adminKey });
      expect(data(read)).toMatchObject({ status: 'retired', versions: [{ version: 2 }, { version: 1 }] });
    },
    TIMEOUT_MS,
  );

  it(
    'keeps drafts and retired tools from agents until an operator says otherwise',
    async () => {
      const word = newWord();
      const toolId = `${word}.gauge.level.v1`;
      await put(word, manifest(word, [tool(word, 'level', { status: 'draft' })]));
      const drafts = await send('GET', `/admin/v1/tools`, {
        key: adminKey,
        query: { status: 'draft', provider_id: word },
      });
      expect(data(drafts)['items']).toEqual([expect.objectContaining({ tool_id: toolId, status: 'draft' })]);
      expect((await act(toolId, 'approve')).status).toBe(409);
      expect(data(await act(toolId, 'publish'))).toMatchObject({ status: 'published', changed: true });
      await eventuallyFound(word, toolId);
      expect(data(await act(toolId, 'retire'))).toMatchObject({ status: 'retired' });
      await eventuallyGone(word, toolId);
      expect(data(await act(toolId, 'restore'))).toMatchObject({ status: 'published', version: 1 });
      await eventuallyFound(word, toolId);
    },
    TIMEOUT_MS,
  );

  it.each<[string, object, (string | number)[]]>([
    ['an unknown field', { colour: 'red' }, ['body', 'colour']],
    ['an id of digits', { provider_id: '12345' }, ['body', 'provider_id']],
    ['a control character', { name: { en: 'a\u0007b' } }, ['body', 'name', 'en']],
    ['a tool of another provider', { tools: [tool('other', 'x')] }, ['body', 'tools', 0, 'tool_id']],
    [
      'metering that nothing bounds',
      { tools: [tool('x', 'x', { price: { amount_credits: 1, metering: { kind: 'result_rows' } } })] },
      ['body', 'tools', 0, 'price', 'metering', 'max_units'],
    ],
  ])('with %s is answered 422 and names the field', async (_what, over, loc) => {
    const word = newWord();
    const reply = await put(word, manifest(word, [], over));
    expect(reply.status).toBe(422);
    expect(reply.json['detail']).toEqual(expect.arrayContaining([expect.objectContaining({ loc })]));
    expect((await send('GET', `/admin/v1/providers/${word}`, { key: adminKey })).status).toBe(404);
  });
});

describe('an import', () => {
  const post = (rawBody: string, type: string, query = ''): Promise<Reply> =>
    send('POST', `/admin/v1/catalog:import${query}`, { key: adminKey, rawBody, headers: { 'content-type': type } });
  const linesOf = (reply: Reply): JsonObject[] =>
    reply.text
      .trimEnd()
      .split('\n')
      .map((line) => asObject(JSON.parse(line)));

  it(
    'takes a body larger than others may be, answers a line for each row, and agents find what it brought',
    async () => {
      const word = newWord();
      const padding = 'Returns its level and the time of the last reading. '.repeat(20);
      const rows = [
        { kind: 'provider', ...manifest(word, []) },
        ...Array.from({ length: 1_500 }, (_, index) => ({
          kind: 'tool',
          provider_id: word,
          ...tool(word, `number${index}`, { description: { en: `${padding} ${word}${index}` } }),
        })),
        { kind: 'tool', provider_id: word, tool_id: '12345' },
      ];
      const body = rows.map((row) => JSON.stringify(row)).join('\n');
      expect(body.length).toBeGreaterThan(2_000_000);
      const reply = await post(body, 'application/x-ndjson');
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
      const lines = linesOf(reply);
      expect(lines).toHaveLength(1_503);
      expect(lines.at(-1)).toMatchObject({ summary: { rows: 1_502, results: { created: 1_501, invalid: 1 } } });
      await eventually(async () => {
        for (let turn = 0; turn < 4; turn += 1)
          expect(await foundBy(`${word}1499`)).toContain(`${word}.gauge.number1499.v1`);
      });
      expect(linesOf(await post(body, 'application/x-ndjson')).at(-1)).toMatchObject({
        summary: { results: { unchanged: 1_501, invalid: 1 } },
      });
    },
    TIMEOUT_MS,
  );

  it('takes YAML documents, and a broken one stops no other', async () => {
    const word = newWord();
    const documents = [manifest(word, [tool(word, 'level')], { kind: 'provider' }), 'a: [', { kind: 'toaster' }];
    const text = documents
      .map((document) => (typeof document === 'string' ? document : JSON.stringify(document)))
      .join('\n---\n');
    const lines = linesOf(await post(text, 'application/yaml', '?dry_run=true'));
    expect(lines.map(({ row, result }) => [row, result]).slice(0, 4)).toEqual(
      expect.arrayContaining([
        [1, 'created'],
        [2, 'invalid'],
        [3, 'invalid'],
      ]),
    );
    expect((await send('GET', `/admin/v1/providers/${word}`, { key: adminKey })).status).toBe(404);
  });

  it('is refused what it is not', async () => {
    expect((await post('x', 'text/csv')).status).toBe(415);
    expect((await post('{}', 'application/json')).status).toBe(415);
  });
});

describe('the administration of the catalogue', () => {
  const routes: [string, string][] = [
    ['PUT', '/providers/acme'],
    ['GET', '/providers/acme'],
    ['POST', '/catalog:import'],
    ['GET', '/tools'],
    ['GET', '/tools/acme.a.b.v1'],
    ['GET', '/tools/acme.a.b.v1/versions/1/diff/2'],
    ['POST', '/tools/acme.a.b.v1:retire'],
    ['GET', '/schemas/manifest'],
  ];

  it.each(routes)('is closed without the admin scope: %s %s', async (method, path) => {
    const body = method === 'GET' ? {} : { body: {} };
    expect((await send(method, `/admin/v1${path}`, { key: account.key, ...body })).status).toBe(403);
    expect((await send(method, `/admin/v1${path}`, body)).status).toBe(401);
  });

  it('gives its schema', async () => {
    const reply = await send('GET', '/admin/v1/schemas/manifest', { key: adminKey });
    expect(reply.status).toBe(200);
    expect(Object.keys(asObject(reply.json['$defs']))).toEqual(['provider', 'tool', 'category']);
  });

  it('knows nothing of what is not there', async () => {
    const told = (reply: Reply): unknown[] => [reply.status, reply.json['message']];
    for (const [path, what] of [
      ['/tools/a.b.c.v1', 'no tool'],
      ['/tools/12345', 'no tool'],
      ['/providers/nobody', 'no provider'],
      ['/tools/a.b.c.v1/versions/1/diff/2', 'no such version'],
      ['/tools/a.b.c.v1/versions/proposal/diff/2', 'Nothing waits'],
    ] as const) {
      const reply = await send('GET', `/admin/v1${path}`, { key: adminKey });
      expect(told(reply)).toEqual([404, expect.stringContaining(what)]);
    }
    expect(told(await act('a.b.c.v1', 'retire'))).toEqual([404, expect.stringContaining('no tool')]);
    expect(told(await act('a.b.c.v1', 'explode'))).toEqual([404, expect.stringContaining(':retire')]);
  });
});
