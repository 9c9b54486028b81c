import { describe, expect, it } from '@jest/globals';
import { cloudEventHeaders, publicEventSchemas, type JsonSchema } from '@capability-router/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { addedMembers, breakingChanges } from './compatibility.js';
import { asyncApiDocument, publicTopics } from './public-events.js';
import { goldenEvents, goldenFiles, readGolden } from './test-support/golden-events.js';

/** The corpus has internal topics too; their consumers read those. */
const golden = goldenFiles('events')
  .filter((topic) => topic.startsWith('public.'))
  .flatMap(goldenEvents);

describe('the public events', () => {
  const ajv = new Ajv2020({ allErrors: true, strict: true });
  addFormats.default(ajv);
  const validates = (schema: JsonSchema) => ajv.getSchema(schema.$id ?? '') ?? ajv.compile(schema);
  const schemaOf = (type: string | undefined) => publicEventSchemas.find((candidate) => candidate.type === type);

  it.each(golden)('can still be read as they were once published: %s', (_path, event) => {
    const found = schemaOf(event.headers['ce_type']);
    expect(found?.schema.$id).toBe(event.headers['ce_dataschema']);
    const validate = validates(found?.schema ?? {});
    void validate(event.value);
    expect(validate.errors ?? []).toEqual([]);
    const headers = ajv.compile(cloudEventHeaders);
    headers(event.headers);
    expect(headers.errors ?? []).toEqual([]);
    expect(event.key).toBe(event.headers['ce_partitionkey']);
  });

  it('have one golden event at least for each type, with every member that the schema names in one of them', () => {
    for (const { topic, type, schema } of publicEventSchemas) {
      const members = goldenEvents(topic).flatMap(([, event]) =>
        event.headers['ce_type'] === type ? Object.keys(event.value) : [],
      );
      const missing = Object.keys(schema.properties ?? {}).filter((name) => !members.includes(name));
      // A member that is new: add a golden event that has it, and leave the old ones as they are.
      expect({ type, missing }).toEqual({ type, missing: [] });
    }
  });

  it('are described wherever a public topic carries them', () => {
    const carried = publicTopics.flatMap((topic) => topic.events.map((type) => `${topic.name} ${type}`));
    expect(carried.sort()).toEqual(publicEventSchemas.map(({ topic, type }) => `${topic} ${type}`).sort());
  });

  it.each(publicEventSchemas.map((one): [string, (typeof publicEventSchemas)[number]] => [one.type, one]))(
    'change by additions only: %s',
    (type, { topic, schema }) => {
      const folder = `schemas/${topic}.${type}`;
      const published = goldenFiles(folder).map((file) => readGolden(`${folder}/${file}`) as JsonSchema);
      expect(published.length).toBeGreaterThan(0);
      for (const before of published) expect(breakingChanges(before, schema)).toEqual([]);
      // A new schema is promised from now on: copy the schema from docs/schemas into the folder, as its next number.
      expect(addedMembers(published.at(-1) ?? {}, schema)).toEqual([]);
    },
  );
});

describe('the AsyncAPI document', () => {
  it('says of a message what its JSON Schema says', () => {
    const { components } = parse(asyncApiDocument()) as {
      components: { messages: Record<string, { payload: JsonSchema }> };
    };
    for (const { type, schema } of publicEventSchemas) {
      expect(components.messages[type]?.payload).toMatchObject({
        properties: schema.properties,
        required: schema.required,
      });
    }
  });
});

describe('what counts as a breaking change', () => {
  const before: JsonSchema = {
    type: 'object',
    properties: { id: { type: 'string' }, status: { type: 'string', enum: ['a', 'b'] } },
    required: ['id'],
  };
  const changed = (over: Partial<JsonSchema>): string[] => breakingChanges(before, { ...before, ...over });
  const withMember = (name: string, schema: JsonSchema): Partial<JsonSchema> => ({
    properties: { ...before.properties, [name]: schema },
  });

  it('is none where a member that may be absent is added, or words change', () => {
    expect(changed({ ...withMember('more', { type: 'integer' }), description: 'other words' })).toEqual([]);
    expect(changed(withMember('id', { type: 'string', description: 'the id', examples: ['x'] }))).toEqual([]);
  });

  it.each<[string, Partial<JsonSchema>]>([
    ['a member that goes', { properties: { id: { type: 'string' } } }],
    ['a member of another type', withMember('id', { type: 'integer' })],
    ['a member of another form', withMember('id', { type: 'string', pattern: '^x' })],
    ['a closed set with another value', withMember('status', { type: 'string', enum: ['a', 'b', 'c'] })],
    ['a member that may be absent now', { required: [] }],
    ['a member that older events lack', { required: ['id', 'status'] }],
  ])('is %s', (_what, over) => {
    expect(changed(over)).toHaveLength(1);
  });
});
