import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readStream } from '@capability-router/event-store';
import { newAccount, RunningRegistry, type Answer } from '../../test-support/running-registry.js';
import { withoutVersions } from '../../test-support/without-versions.js';
import { categoryDocument, providerDocument, toolDocument } from '../test-support/sample-manifest.js';

const admin = { ...newAccount(), scopes: ['admin'] };
let registry: RunningRegistry;
let run = 0;
let provider = '';
beforeAll(async () => {
  registry = await RunningRegistry.start();
});
afterAll(() => registry.stop());
beforeEach(() => {
  run += 1;
  provider = `acme${String.fromCharCode(96 + run)}`;
});

const tool = (name: string, over: Record<string, unknown> = {}) =>
  toolDocument({ tool_id: `${provider}.weather.${name}.v1`, ...over });
const manifest = (over: Record<string, unknown> = {}) =>
  providerDocument({ provider_id: provider, tools: [tool('now'), tool('later')], ...over });
const put = (body: unknown, query = '', headers = {}): Promise<Answer> =>
  registry.put({ url: `/admin/v1/providers/${provider}${query}`, body, account: admin, headers });
const dataOf = (answer: Answer): Record<string, unknown> => answer.body['data'] as Record<string, unknown>;
const results = (answer: Answer): string[] =>
  (dataOf(answer)['tools'] as { tool_id: string; result: string; version?: number }[]).map(
    ({ result, version }) => `${result} ${version ?? '-'}`,
  );
const eventTypes = async (name: string): Promise<string[]> =>
  (await readStream(registry.database.pool, `${provider}.weather.${name}.v1`)).map((event) => event.type);

describe('the manifest of a provider', () => {
  it('is published once, however often it is sent, in JSON and in YAML', async () => {
    const created = await put(manifest());
    expect(created.status).toBe(200);
    expect(results(created)).toEqual(['created 1', 'created 1']);
    const again = await put(manifest());
    expect(results(again)).toEqual(['unchanged 1', 'unchanged 1']);
    expect(dataOf(again)).toMatchObject({ provider: { result: 'unchanged' }, retired: [] });
    const yaml = await put(JSON.stringify(manifest(), null, 2), '', { 'content-type': 'application/yaml' });
    expect(results(yaml)).toEqual(['unchanged 1', 'unchanged 1']);
    expect(await eventTypes('now')).toEqual(['ToolPublished']);
  });

  it('changes what has changed, says whether callers break, retires what it leaves out, and brings it back', async () => {
    await put(manifest());
    const cheaper = tool('now', { price: { amount_credits: 0.2 } });
    const changed = await put(manifest({ tools: [cheaper] }));
    expect(results(changed)).toEqual(['changed 2']);
    expect(dataOf(changed)).toMatchObject({
      tools: [{ breaking: false, changes_destination: false }],
      retired: [`${provider}.weather.later.v1`],
    });
    const narrower = tool('now', {
      parameters_schema: {
        type: 'object',
        additionalProperties: false,
        properties: { city: { type: 'string' } },
        required: ['city'],
      },
      examples: [],
    });
    expect(dataOf(await put(manifest({ tools: [narrower] })))).toMatchObject({
      tools: [{ version: 3, breaking: true }],
    });
    expect(results(await put(manifest()))).toEqual(['changed 4', 'restored 1']);
    expect(await eventTypes('later')).toEqual(['ToolPublished', 'ToolRetired', 'ToolPublished']);
  });

  it('tells of a change whether it costs more and where it would send parameters and credentials', async () => {
    await put(manifest());
    const { binding } = toolDocument() as { binding: object };
    const moved = tool('now', { binding: { ...binding, url: 'https://other.example/v1/forecast/{city}' } });
    const dearer = tool('later', { price: { amount_credits: '0.5' } });
    expect(dataOf(await put(manifest({ tools: [moved, dearer] })))).toMatchObject({
      tools: [
        { result: 'changed', breaking: false, costs_more: false, changes_destination: true },
        { result: 'changed', breaking: false, costs_more: true, changes_destination: false },
      ],
    });
  });

  it('leaves tools alone without a list of them, and retires all with an empty one', async () => {
    await put(manifest());
    const { tools: _tools, ...alone } = manifest({ name: { en: 'Acme Weather' } });
    expect(dataOf(await put(alone, '?dry_run=true'))).toMatchObject({ tools: [], retired: [] });
    const renamed = await put(alone);
    expect(dataOf(renamed)).toMatchObject({ provider: { result: 'changed' }, tools: [], retired: [] });
    expect(await eventTypes('later')).not.toContain('ToolRetired');
    expect(dataOf(await put(manifest({ tools: [] })))['retired']).toHaveLength(2);
    expect(await eventTypes('later')).toContain('ToolRetired');
  });

  it('tells in a dry run what it would do, and does nothing', async () => {
    const dry = await put(manifest(), '?dry_run=true');
    expect(results(dry)).toEqual(['created 1', 'created 1']);
    expect((await registry.get({ url: `/admin/v1/providers/${provider}`, account: admin })).status).toBe(404);
    await put(manifest());
    expect(dataOf(await put(manifest({ tools: [] }), '?dry_run=true'))['retired']).toHaveLength(2);
    expect(results(await put(manifest()))).toEqual(['unchanged 1', 'unchanged 1']);
  });

  it('gives every tool the next version when the provider that they show changes', async () => {
    await put(manifest());
    const renamed = await put(manifest({ name: { en: 'Acme Weather' } }));
    expect(results(renamed)).toEqual(['changed 2', 'changed 2']);
    expect(dataOf(renamed)).toMatchObject({ tools: [{ breaking: false }, { breaking: false }] });
  });

  it('sent again completes a change of its provider that broke off before all tools showed it', async () => {
    await put(manifest());
    const { tools: _tools, ...renamed } = manifest({ name: { en: 'Acme Weather' } });
    expect((await withoutVersions(registry.database, () => put(renamed))).status).toBe(500);
    const completed = { provider: { result: 'unchanged' }, refreshed: 2 };
    expect(dataOf(await put(renamed))).toMatchObject(completed);
    expect(dataOf(await put(renamed))).toMatchObject({ ...completed, refreshed: 0 });
    expect(await eventTypes('now')).toEqual(['ToolPublished', 'ToolPublished']);
    expect(results(await put({ ...renamed, tools: [tool('now'), tool('later')] }))).toEqual([
      'unchanged 2',
      'unchanged 2',
    ]);
  });

  it('sent again completes a change of a category that broke off, in tools of other providers too', async () => {
    const categories = [categoryDocument({ slug: `skies-${provider}` })];
    const tools = [tool('now', { categories: [`skies-${provider}`] })];
    await put(manifest({ categories, tools }));
    const named = { provider_id: `${provider}x`, tools: [], categories: [{ ...categories[0], name: { en: 'Skies' } }] };
    const putOther = () =>
      registry.put({ url: `/admin/v1/providers/${provider}x`, body: providerDocument(named), account: admin });
    expect((await withoutVersions(registry.database, putOther)).status).toBe(500);
    expect(dataOf(await putOther())).toMatchObject({ categories: [{ result: 'unchanged' }], refreshed: 1 });
  });

  it('can be read back and sent again, and nothing changes', async () => {
    await put(manifest());
    const read = await registry.get({ url: `/admin/v1/providers/${provider}`, account: admin });
    const { manifest: document } = dataOf(read) as { manifest: { tools: Record<string, unknown>[] } };
    expect(document.tools).toHaveLength(2);
    expect(results(await put(document))).toEqual(['unchanged 1', 'unchanged 1']);
  });

  it('keeps a draft from callers until it is published', async () => {
    const draft = tool('now', { status: 'draft' });
    expect(results(await put(manifest({ tools: [draft] })))).toEqual(['drafted -']);
    expect(results(await put(manifest({ tools: [draft] })))).toEqual(['unchanged -']);
    expect(await eventTypes('now')).toEqual([]);
    const act = (action: string) =>
      registry.post({ url: `/admin/v1/tools/${provider}.weather.now.v1:${action}`, body: {}, account: admin });
    expect((await act('approve')).status).toBe(409);
    expect(dataOf(await act('publish'))).toMatchObject({ status: 'published', version: 1, changed: true });
    expect(dataOf(await act('publish'))).toMatchObject({ changed: false });
    expect(results(await put(manifest({ tools: [draft] })))).toEqual(['unchanged 1']);
    expect(await eventTypes('now')).toEqual(['ToolPublished']);
  });

  it('cannot take a provider that is built in, nor a tool of another source', async () => {
    const { pool } = registry.database;
    await pool.query(`UPDATE catalogue_providers SET source = 'builtin' WHERE provider_id = 'geokit'`);
    const body = providerDocument({ provider_id: 'geokit', tools: [] });
    const taken = await registry.put({ url: '/admin/v1/providers/geokit', body, account: admin });
    expect([taken.status, taken.body]).toEqual([
      409,
      expect.objectContaining({
        message: 'The provider "geokit" is built in: it changes with the build alone.',
        next_step: expect.stringContaining('Give your own provider another id'),
      }),
    ]);
    await put(manifest());
    await pool.query(`UPDATE tools SET source = 'openapi:x' WHERE provider_id = $1`, [provider]);
    expect(results(await put(manifest()))).toEqual(['refused -', 'refused -']);
  });

  it.each<[string, Record<string, unknown>, (string | number)[]]>([
    ['an unknown field', { colour: 'red' }, ['body', 'colour']],
    ['another id than the path', { provider_id: 'other', tools: [] }, ['body', 'provider_id']],
    ['an id of digits', { provider_id: '12345' }, ['body', 'provider_id']],
    [
      'a tool of another provider',
      { tools: [toolDocument({ tool_id: 'other.a.b.v1' })] },
      ['body', 'tools', 0, 'tool_id'],
    ],
    ['a control character', { name: { en: 'A\u0007cme' } }, ['body', 'name', 'en']],
  ])('with %s is answered 422 with its path, and nothing is written', async (_what, over, loc) => {
    const answer = await put(manifest(over));
    expect(answer.status).toBe(422);
    expect(answer.body['detail']).toEqual(expect.arrayContaining([expect.objectContaining({ loc })]));
    expect((await registry.get({ url: `/admin/v1/providers/${provider}`, account: admin })).status).toBe(404);
  });

  it('is not there, nor are its tools, where its id has a zero character', async () => {
    expect((await registry.get({ url: '/admin/v1/providers/a%00b', account: admin })).status).toBe(404);
    const put = registry.put({ url: '/admin/v1/providers/a%00b', body: manifest(), account: admin });
    expect((await put).status).toBe(422);
    for (const status of ['published', 'quarantined']) {
      const url = `/admin/v1/tools?status=${status}&provider_id=%00`;
      const { status: answered, body } = await registry.get({ url, account: admin });
      expect([answered, body]).toEqual([
        422,
        expect.objectContaining({ message: expect.stringContaining('"provider_id"') }),
      ]);
    }
  });

  it('needs the admin scope, and a body of its size', async () => {
    const url = `/admin/v1/providers/${provider}`;
    expect((await registry.put({ url, body: manifest(), account: newAccount() })).status).toBe(403);
    const long = manifest({ description: { en: 'x'.repeat(9_000_000) } });
    expect((await put(long)).status).toBe(413);
    expect(
      (
        await put(`a: &a [${'1,'.repeat(100)}1]\nb: [${'*a,'.repeat(60)}*a]`, '', {
          'content-type': 'application/yaml',
        })
      ).status,
    ).toBe(422);
  });
});
