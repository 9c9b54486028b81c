import { adminKey } from '../../support/environment.js';
import type { Reply } from '../../support/http.js';
import { asObject, type JsonObject } from '../../support/json.js';
import type { AskOptions, Transcript } from '../transcript.js';

const capabilities = '/admin/v1/capabilities';

type Ask = (title: string, method: string, path: string, body?: unknown, until?: AskOptions['until']) => Promise<Reply>;

/**
 * A contract as an administrator writes it, changes it, and takes it out of sight.
 * @param id of the capability
 * @param toolId of a tool that takes `size`
 * @param key of a caller
 */
export async function adminCapabilities(wire: Transcript, id: string, toolId: string, key: string): Promise<void> {
  const ask: Ask = (title, method, path, body, until) =>
    wire.ask(title, method, path, {
      key: adminKey,
      ...(body === undefined ? {} : { body }),
      ...(until === undefined ? {} : { until }),
    });
  const seen = (title: string): Promise<Reply> =>
    wire.ask(title, 'GET', `/api/v1/capabilities/${id}`, { key, inTime: 'remaining_credits' });
  const path = `${capabilities}/${id}`;
  const size = { type: 'integer', minimum: 0, maximum: 1_000 };
  const thing = { type: 'string', description: 'What it is called.' };
  const result = (properties: JsonObject, required: string[]): JsonObject => ({
    result_schema: { type: 'object', required, properties },
  });
  const contract = {
    name: { en: 'Things', zh: '事物' },
    description: { en: 'Tells of things.' },
    parameters_schema: {
      type: 'object',
      additionalProperties: false,
      required: ['how_many'],
      properties: { how_many: size },
    },
    ...result({ thing, mass: { type: 'number', description: 'At rest.', unit: 'kg' } }, ['thing']),
    candidates: [
      { tool_id: toolId, parameters: { size: { from: '$.how_many' } }, result: { thing: { from: '$.name' } } },
    ],
    effect: 'read_only',
    sample_parameters: { how_many: 3 },
    tags: [{ id: 'corpus', name: 'Corpus' }],
  };
  const put = (title: string, more: JsonObject = {}, query = ''): Promise<Reply> =>
    ask(title, 'PUT', `${path}${query}`, { ...contract, ...more });
  const isKnown = ({ text }: Reply): boolean => text.includes('"fits"');
  await ask('a contract, as it would be taken', 'PUT', `${path}?dry_run=true`, contract, isKnown);
  const first = await put('a contract');
  await put('the contract again');
  await ask('the contract', 'GET', path);
  await seen('the contract, as callers see it');
  const hash = asObject(first.json['data'])['schema_hash'];
  await put('a change that breaks callers', { ...result({ thing }, []), schema_hash: hash });
  await put('that change, where it is meant', { ...result({ thing }, []), schema_hash: hash }, '?allow_breaking=true');
  await put('a change of what is another contract by now', { effect: 'idempotent', schema_hash: hash });
  await ask('what it changed', 'GET', `${path}/versions/1/diff/2`);
  const faults: readonly [string, JsonObject][] = [
    ['an unknown member', { colour: 'red' }],
    ['a binding that lacks a promised field', { candidates: [{ ...contract.candidates[0], result: {} }] }],
    ['an example that does not fit', { sample_parameters: { how_many: 'three' } }],
    ['a field without a meaning', result({ thing: { type: 'string' } }, [])],
  ];
  for (const [title, more] of faults) await put(`a contract with ${title}`, more);
  await ask('a contract under an id that is none', 'PUT', `${capabilities}/12345`, contract);
  const act = (title: string, action: string, body?: unknown, of = id): Promise<Reply> =>
    ask(title, 'POST', `${capabilities}/${of}:${action}`, body);
  await act('another contract is not retired', 'retire', { schema_hash: '0'.repeat(64) });
  await act('the contract is retired', 'retire');
  await act('the contract is retired again', 'retire', {});
  await seen('a retired contract, as callers see it');
  await ask('a retired contract', 'GET', path);
  await put('a change of a retired contract', { effect: 'idempotent' });
  await act('the contract is restored', 'restore');
  await act('an action on a contract that there is not', 'explode');
  await act('an action on no contract', 'retire', undefined, 'no.such');
  await ask('the contracts of one page', 'GET', `${capabilities}?limit=1&after=${id.slice(0, -1)}`);
  await ask('the contracts, refused', 'GET', `${capabilities}?status=odd`);
  const rows = [
    { kind: 'capability', capability_id: `${id}.rows`, ...contract },
    { capability_id: `${id}.rows`, ...contract },
    { capability_id: id, ...contract, effect: 'unsafe' },
    { capability_id: `${id}.more`, ...contract, colour: 'red' },
  ];
  const bring = (title: string, rawBody: string, type: string, query = ''): Promise<Reply> =>
    wire.ask(title, 'POST', `${capabilities}:import${query}`, {
      key: adminKey,
      rawBody,
      headers: { 'content-type': type },
    });
  const ndjson = `${rows.map((row) => JSON.stringify(row)).join('\n')}\n{"kind":`;
  await bring('contracts, as they would be imported', ndjson, 'application/x-ndjson', '?dry_run=true');
  await bring('contracts in rows', ndjson, 'application/x-ndjson');
  await bring('the rows again', ndjson, 'application/x-ndjson');
  const yaml = `capability_id: ${id}.rows\nname: {en: Rows}\n---\na: [\n`;
  await bring('contracts in YAML', yaml, 'application/yaml', '?dry_run=true');
  await bring('contracts of another content type', 'a,b', 'text/csv');
  await wire.ask('a contract in YAML', 'PUT', `${capabilities}/${id}.rows`, {
    key: adminKey,
    rawBody: 'name: {en: Rows}\neffect: [',
    headers: { 'content-type': 'application/yaml' },
  });
  await act('the contract is retired in the end', 'retire');
  await act('and the one of the rows', 'retire', undefined, `${id}.rows`);
}
