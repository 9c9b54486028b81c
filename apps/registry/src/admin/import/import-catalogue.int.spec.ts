import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { newAccount, RunningRegistry } from '../../test-support/running-registry.js';
import { withoutVersions } from '../../test-support/without-versions.js';
import { categoryDocument, providerDocument, toolDocument } from '../test-support/sample-manifest.js';

const admin = { ...newAccount(), scopes: ['admin'] };
let registry: RunningRegistry;
beforeAll(async () => {
  registry = await RunningRegistry.start();
});
afterAll(() => registry.stop());

type Line = Record<string, unknown>;
interface Report {
  readonly lines: readonly Line[];
  readonly results: readonly string[];
  readonly summary: Line;
}

async function send(body: string, { query = '', type = 'application/x-ndjson' } = {}): Promise<Report> {
  const answer = await registry.post({
    url: `/admin/v1/catalog:import${query}`,
    body,
    account: admin,
    headers: { 'content-type': type },
  });
  expect(answer.status).toBe(200);
  const lines = answer.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const summary = (lines.at(-1)?.['summary'] ?? {}) as Line;
  if ('summary' in (lines.at(-1) ?? {})) lines.pop();
  const results = lines.map(({ row, result }) => `${String(row)} ${String(result)}`);
  return { lines, results, summary };
}

const ndjson = (...rows: object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const provider = (id: string) => providerDocument({ provider_id: id, tools: [], categories: [] });
const category = { kind: 'category', ...categoryDocument() };
const tool = (id: string, name: string, over: object = {}) =>
  toolDocument({ kind: 'tool', provider_id: id, tool_id: `${id}.weather.${name}.v1`, ...over });
const sorted = (results: readonly string[]): string[] => [...results].sort();

describe('an import', () => {
  it('takes providers, categories and tools in one go, and changes nothing the second time', async () => {
    const rows = ndjson(provider('impa'), category, tool('impa', 'now'), tool('impa', 'later', { status: 'draft' }));
    const first = await send(rows);
    expect(first.results).toEqual(['1 created', '2 created', '3 created', '4 drafted']);
    expect(first.summary).toMatchObject({ rows: 4, dry_run: false, results: { created: 3, drafted: 1 } });
    expect((await send(rows)).summary).toMatchObject({ results: { unchanged: 4 } });
    // As some programs write a file in UTF-8.
    expect((await send(`\uFEFF${rows}`)).summary).toMatchObject({ results: { unchanged: 4 } });
  });

  it('takes YAML documents, with whole providers among them', async () => {
    const text = [
      '# the tools of our team\n%YAML 1.2',
      JSON.stringify(providerDocument({ provider_id: 'impb', tools: [tool('impb', 'now')] }), null, 2),
      '',
      'kind: tool\nprovider_id: impb\ntool_id: impb.weather.later.v1\nname: { en: Later }\ndescription:\n  en: |\n    Two\n    lines.\n' +
        'parameters_schema: { type: object, additionalProperties: false }\nprice: { amount_credits: 0.000001 }\n' +
        'binding: { kind: mcp, server: { transport: stdio, command: tools }, tool: later }\n...',
    ].join('\n---\n');
    const { results, lines } = await send(text, { type: 'application/yaml' });
    expect(results).toEqual(['1 created', '1 unchanged', '1 created', '2 created']);
    expect(lines.map(({ line }) => line)).toEqual([3, 3, 3, expect.any(Number)]);
  });

  it('goes on after broken rows and says what is wrong with each', async () => {
    const { results, lines, summary } = await send(
      `${ndjson(provider('impc'))}{"kind":\n\n[1]\n${ndjson(
        tool('impc', 'now', { colour: 'red' }),
        { kind: 'toaster' },
        tool('impc', 'fine', { categories: [] }),
        tool('nobody', 'x', { categories: [] }),
        tool('impc', 'lost', { categories: ['unheard-of'] }),
        tool('impc', 'fine', { categories: [] }),
      )}${'x'.repeat(1_100_000)}\n"\xff"\n`,
    );
    expect(sorted(results)).toEqual(
      sorted([
        '1 created',
        ...['2 invalid', '3 invalid', '4 invalid', '5 invalid', '9 invalid', '10 invalid', '11 invalid'],
        '6 created',
        ...['7 refused', '8 refused'],
      ]),
    );
    const detailsOf = (row: number) => lines.find((line) => line['row'] === row);
    expect(detailsOf(4)).toMatchObject({ line: 5, id: 'impc.weather.now.v1', details: [{ loc: ['colour'] }] });
    expect(detailsOf(7)).toMatchObject({ field: 'provider_id', message: expect.stringMatching(/provider before/) });
    expect(detailsOf(8)).toMatchObject({ field: 'categories' });
    expect(detailsOf(9)).toMatchObject({ details: [{ msg: 'Row 6 has the same id' }] });
    expect(detailsOf(10)).toMatchObject({ details: [{ type: 'too_long' }] });
    expect(summary).toMatchObject({ rows: 11 });
  });

  it('tells in a dry run what it would do, tools of providers that are not there yet included', async () => {
    const rows = ndjson(provider('impd'), tool('impd', 'now', { categories: [] }), tool('geokit', 'taken'));
    const dry = await send(rows, { query: '?dry_run=true' });
    expect(dry.results.slice(0, 2)).toEqual(['1 created', '2 created']);
    expect((await registry.get({ url: '/admin/v1/tools/impd.weather.now.v1', account: admin })).status).toBe(404);
    expect((await send(rows)).results.slice(0, 2)).toEqual(['1 created', '2 created']);
  });

  it('brings tools that it does not name up to the provider that it changes', async () => {
    await send(ndjson(provider('impe'), tool('impe', 'now', { categories: [] })));
    const { summary } = await send(ndjson({ ...provider('impe'), name: { en: 'Renamed' } }));
    expect(summary).toMatchObject({ results: { changed: 1 }, refreshed: 1 });
    const read = await registry.get({ url: '/admin/v1/tools/impe.weather.now.v1', account: admin });
    expect(read.body['data']).toMatchObject({ version: 2, versions: [{ version: 2 }, { version: 1 }] });
  });

  it('done again completes one that broke off before all tools showed the provider that it changed', async () => {
    await send(ndjson(provider('impg'), tool('impg', 'now', { categories: [] })));
    const rows = ndjson({ ...provider('impg'), name: { en: 'Renamed' } });
    const broken = await withoutVersions(registry.database, () => send(rows));
    expect(broken.lines).toMatchObject([{ result: 'changed' }, { error: { message: expect.stringMatching(/again/) } }]);
    expect((await send(rows)).summary).toMatchObject({ results: { unchanged: 1 }, refreshed: 1 });
    expect((await send(rows)).summary).toMatchObject({ results: { unchanged: 1 }, refreshed: 0 });
  });

  it('of too many rows brings all tools up to the provider that it changed before it ends', async () => {
    await send(ndjson(provider('imph'), tool('imph', 'now', { categories: [] })));
    const { lines } = await send(`${ndjson({ ...provider('imph'), name: { en: 'Renamed' } })}${'x\n'.repeat(500_000)}`);
    expect(lines.at(-1)).toMatchObject({ error: { message: expect.stringMatching(/at most 500000 rows/) } });
    expect(lines.filter(({ result }) => result === 'changed')).toHaveLength(1);
    const read = await registry.get({ url: '/admin/v1/tools/imph.weather.now.v1', account: admin });
    expect(read.body['data']).toMatchObject({ version: 2 });
  });

  it('writes more than a batch, and every tool is found', async () => {
    const rows = Array.from({ length: 1_201 }, (_, index) =>
      tool('impf', `number${index}`, { categories: [], name: { en: `Quuxometer ${index}` } }),
    );
    const { summary } = await send(ndjson(provider('impf'), ...rows));
    expect(summary).toMatchObject({ results: { created: 1_202 } });
    const { rows: counts } = await registry.database.pool.query<{ tools: number; events: number }>(
      `SELECT count(*)::int AS tools, (SELECT count(*)::int FROM events WHERE stream_id LIKE 'impf.%') AS events
         FROM tools WHERE provider_id = 'impf' AND status = 'published'`,
    );
    expect(counts).toEqual([{ tools: 1_201, events: 1_201 }]);
  });

  it('is refused a body of another type, and a key without the scope', async () => {
    const url = '/admin/v1/catalog:import';
    expect((await registry.post({ url, body: {}, account: admin })).status).toBe(415);
    const headers = { 'content-type': 'application/x-ndjson' };
    expect((await registry.post({ url, body: 'x', account: newAccount(), headers })).status).toBe(403);
    const query = await registry.post({ url: `${url}?dry_run=perhaps`, body: '', account: admin, headers });
    expect(query.status).toBe(422);
  });

  it('survives YAML that stands for far more than it is', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x]',
      ...'bcdefg'
        .split('')
        .map((name, index) => `${name}: &${name} [${Array(8).fill(`*${'abcdef'[index]}`).join(',')}]`),
    ];
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    const { results } = await send(
      [bomb.join('\n'), deep, 'kind: .inf', '!!js/function "x"', 'a: *b'].join('\n---\n'),
      {
        type: 'application/yaml',
      },
    );
    expect(results).toEqual(['1 invalid', '2 invalid', '3 invalid', '4 invalid', '5 invalid']);
  });

  it('stops where its sender does, and what was reported stays', async () => {
    const rows = Array.from({ length: 600 }, (_, index) => tool('impi', `number${index}`, { categories: [] }));
    const written = async (): Promise<number> => {
      const sql = `SELECT FROM tools WHERE provider_id = 'impi'`;
      return (await registry.database.pool.query(sql)).rows.length;
    };
    async function* halfAndGone(): AsyncGenerator<string> {
      yield ndjson(provider('impi'), ...rows);
      // The first batch is in; the rest waits for rows that never come.
      while ((await written()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      throw new Error('hung up');
    }
    const sending = registry.service.fastify.inject({
      method: 'POST',
      url: '/admin/v1/catalog:import',
      headers: { 'content-type': 'application/x-ndjson', ...(await registry.tokenHeaders('gateway', admin)) },
      payload: Readable.from(halfAndGone()),
    });
    const text = await sending.then(
      (answer) => answer.payload,
      () => '',
    );
    expect(text).not.toContain('"summary"');
    const again = await send(ndjson(provider('impi'), ...rows));
    expect(again.summary).toMatchObject({ results: { unchanged: expect.any(Number) } });
    const { unchanged = 0, created = 0 } = again.summary['results'] as Record<string, number>;
    expect(unchanged).toBeGreaterThanOrEqual(500);
    expect(unchanged + created).toBe(601);
  });
});
