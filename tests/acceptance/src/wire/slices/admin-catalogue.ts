import { newAccount } from '../../support/accounts.js';
import { adminKey } from '../../support/environment.js';
import type { Reply } from '../../support/http.js';
import type { JsonObject } from '../../support/json.js';
import { manifestOf, thingOf } from '../corpus-provider.js';
import type { Slice } from '../slice.js';
import { adminCapabilities } from './admin-capabilities.js';

const providers = '/admin/v1/providers';
const tools = '/admin/v1/tools';
const capabilities = '/admin/v1/capabilities';
const imports = '/admin/v1/catalog:import';

/** Manifests, tools and their versions, and imports. */
export const adminCatalogue: Slice = {
  name: 'admin-catalogue',
  async run(wire, provider) {
    const id = `${provider.id}made`;
    wire.name('made provider', id);
    const ask = (title: string, method: string, path: string, body?: unknown): Promise<Reply> =>
      wire.ask(title, method, path, { key: adminKey, ...(body === undefined ? {} : { body }) });
    const put = (title: string, body: unknown, query = ''): Promise<Reply> =>
      ask(title, 'PUT', `${providers}/${id}${query}`, body);

    const manifest = manifestOf(provider, id);
    const changed = (more: JsonObject): JsonObject =>
      manifestOf(provider, id, { tools: [thingOf(provider, id, more)] });
    await put('a manifest, as it would be taken', manifest, '?dry_run=true');
    await put('a manifest', manifest);
    await put('the manifest again', manifest);
    await put('another price', changed({ price: { amount_credits: '0.75' } }));
    await put('another price, and a draft', {
      ...manifest,
      name: { en: 'Made', zh: '制造' },
      website_url: 'https://example.com',
      tools: [thingOf(provider, id), thingOf(provider, id, { tool_id: `${id}.things.put.v1`, status: 'draft' })],
    });
    await ask('the provider', 'GET', `${providers}/${id}`);
    await ask('a provider that there is not', 'GET', `${providers}/nobody`);
    const faults: readonly [string, JsonObject][] = [
      ['an unknown member', { colour: 'red' }],
      ['an id of digits', { provider_id: '12345' }],
      ['another id than in the path', { provider_id: 'another' }],
      ['a control character', { name: { en: 'a\u0007b' } }],
      ['a tool of another provider', { tools: [thingOf(provider, 'another')] }],
      ['a tool without a price', { tools: [thingOf(provider, id, { price: undefined })] }],
      [
        'metering that nothing bounds',
        { tools: [thingOf(provider, id, { price: { amount_credits: 1, metering: { kind: 'result_rows' } } })] },
      ],
    ];
    for (const [title, more] of faults) await put(`a manifest with ${title}`, { ...manifest, ...more });
    await put('a manifest that is a list', []);
    await put('a manifest of an unknown kind of run', manifest, '?dry_run=perhaps');
    await wire.ask('a manifest that is no JSON', 'PUT', `${providers}/${id}`, { key: adminKey, rawBody: '{' });
    await wire.ask('no manifest', 'PUT', `${providers}/${id}`, { key: adminKey });
    await wire.ask('a manifest of another content type', 'PUT', `${providers}/${id}`, {
      key: adminKey,
      rawBody: 'a: 1',
      headers: { 'content-type': 'text/plain' },
    });

    const slugify = `${capabilities}/text.slugify`;
    await ask('a capability with its versions', 'GET', slugify);
    await ask('a capability as it was', 'GET', `${slugify}/versions/1`);
    await ask('what a version of a capability changed', 'GET', `${slugify}/versions/1/diff/1`);
    await ask('a version of a capability that there is not', 'GET', `${slugify}/versions/1/diff/9`);
    await ask('a capability that has no contract', 'GET', `${capabilities}/no.such`);
    const { key } = await newAccount(1);
    wire.caller('anna', key);
    await adminCapabilities(wire, `${id}.things`, provider.idOf('free'), key);

    const tool = `${id}.things.get.v1`;
    await ask('the tools', 'GET', `${tools}?provider_id=${id}`);
    await ask('the drafts', 'GET', `${tools}?provider_id=${id}&status=draft`);
    await ask('a page of tools', 'GET', `${tools}?provider_id=${id}&limit=1&after=${id}`);
    for (const fault of ['status=odd', 'limit=0', 'limit=100000', 'other=1']) {
      await ask(`the tools, refused: ${fault}`, 'GET', `${tools}?${fault}`);
    }
    await ask('a tool with its versions', 'GET', `${tools}/${tool}`);
    await ask('what a version changed', 'GET', `${tools}/${tool}/versions/1/diff/2`);
    await ask('a version that there is not', 'GET', `${tools}/${tool}/versions/1/diff/9`);
    await ask('a proposal that there is not', 'GET', `${tools}/${tool}/versions/1/diff/proposal`);
    await ask('a tool that there is not', 'GET', `${tools}/nobody.nothing.never.v1`);
    const act = (title: string, action: string, body?: unknown, of = tool): Promise<Reply> =>
      ask(title, 'POST', `${tools}/${of}:${action}`, body);
    const draft = `${id}.things.put.v1`;
    await ask('a draft', 'GET', `${tools}/${draft}`);
    await act('a draft cannot be approved', 'approve', undefined, draft);
    await act('a draft of another contract', 'publish', { schema_hash: '0'.repeat(64) }, draft);
    await act('a draft is published', 'publish', undefined, draft);
    await act('a tool is retired', 'retire');
    await act('it is retired again', 'retire', {});
    await act('it is restored', 'restore');
    await act('there is nothing to reject', 'reject');
    await act('an unknown action', 'explode');
    await act('an unknown member of an action', 'retire', { colour: 'red' });
    await act('an action on no tool', 'retire', undefined, 'nobody.nothing.never.v1');
    await put('a manifest without tools retires them', { ...manifest, tools: [] });
    await ask('the retired tools', 'GET', `${tools}?provider_id=${id}&status=retired`);

    await wire.ask('a call of a retired tool', 'POST', '/api/v1/tools/execute', {
      key,
      body: { tool_id: draft, parameters: {} },
      until: ({ text }) => text.includes('tool_unavailable'),
    });

    await ask('the schema of manifests', 'GET', '/admin/v1/schemas/manifest');

    const verifications = '/admin/v1/verifications';
    await ask('what was verified of a tool that never was', 'GET', `${verifications}/${provider.shelf.idOf('keyed')}`);
    await ask('what was verified of a tool that there is not', 'GET', `${verifications}/nobody.things.get.v1`);
    await ask('a request to verify a tool', 'POST', `${verifications}/${provider.idOf('inner')}`);
    await ask('a request to verify a tool that there is not', 'POST', `${verifications}/nobody.things.get.v1`);

    const imported = `${id}rows`;
    const rows = [
      { kind: 'provider', ...manifestOf(provider, imported, { tools: undefined }) },
      { kind: 'category', slug: `${id}-things`, name: { en: 'Things' }, description: { en: 'Of the corpus.' } },
      { kind: 'tool', provider_id: imported, ...thingOf(provider, imported) },
      { kind: 'tool', provider_id: imported, tool_id: '12345' },
      { kind: 'toaster' },
    ];
    const bring = (title: string, rawBody: string, type: string, query = ''): Promise<Reply> =>
      wire.ask(title, 'POST', `${imports}${query}`, { key: adminKey, rawBody, headers: { 'content-type': type } });
    const ndjson = `${rows.map((row) => JSON.stringify(row)).join('\n')}\n{"kind":`;
    await bring('an import, as it would be taken', ndjson, 'application/x-ndjson', '?dry_run=true');
    await bring('an import', ndjson, 'application/x-ndjson');
    await bring('the import again', ndjson, 'application/x-ndjson');
    const yaml = `kind: provider\nprovider_id: ${imported}\nname: {en: Rows}\ndescription: {en: Things.}\n---\na: [\n`;
    await bring('an import of YAML', yaml, 'application/yaml', '?dry_run=true');
    await bring('an import of nothing', '', 'application/x-ndjson');
    await bring('an import of another content type', 'a,b', 'text/csv');
    await bring('an import of JSON', '{}', 'application/json');
    await bring('an import of an unknown kind of run', ndjson, 'application/x-ndjson', '?dry_run=perhaps');
  },
};
