import { describe, expect, it } from '@jest/globals';
import type { PriceRule, ToolContract } from '@capability-router/contracts';
import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { checkParametersSchema, ParameterValidator } from '@capability-router/tool-calls';
import { Documents } from '../../domain/documents.js';
import { toTools } from './to-tools.js';

const SCHEMAS = 200;
/** All are built alike, and a check compiles every definition: as many are checked as show that. */
const CHECKED = 20;
const price: PriceRule = { metering: { kind: 'call' }, amountMicroCredits: '0', unitLabel: 'call' };
const reference = (index: number): JsonObject => ({ $ref: `#/components/schemas/S${index % SCHEMAS}` });

/** Each refers to three others and, in circles of all lengths, to itself. */
const schemas = Object.fromEntries(
  Array.from({ length: SCHEMAS }, (_, index) => [
    `S${index}`,
    {
      type: 'object',
      additionalProperties: false,
      required: ['id'],
      properties: {
        id: { type: 'string', maxLength: 20 },
        next: reference(index + 1),
        other: reference(index * 7 + 3),
        list: { type: 'array', items: reference(index * 13 + 5) },
        self: reference(index),
      },
    },
  ]),
);
const paths = Object.fromEntries(
  Array.from({ length: SCHEMAS }, (_, index) => [
    `/things/s${index}`,
    { post: { requestBody: { required: true, content: { 'application/json': { schema: reference(index) } } } } },
  ]),
);
const document = { openapi: '3.1.0', servers: [{ url: 'https://api.example.com/' }], paths, components: { schemas } };
const choices = { providerId: 'acme', price, categories: [], timeoutMs: 1_000, knownIds: {}, maxOperations: SCHEMAS };

describe('200 schemas that all refer to one another', () => {
  const { tools, skipped } = toTools(new Documents('', new Map<string, JsonValue>([['', document]])), choices);

  it('become a tool for each operation, with references and not with copies', () => {
    expect(skipped).toEqual([]);
    expect(tools).toHaveLength(SCHEMAS);
    for (const [index, { tool, notes }] of tools.entries()) {
      const { $defs } = tool.parametersSchema;
      const definitions = isJsonObject($defs) ? Object.values($defs) : [];
      expect(definitions.length).toBeGreaterThan(0);
      expect(definitions.length).toBeLessThanOrEqual(100);
      // A definition refers to others by name: it is no larger than it was in the document.
      for (const definition of definitions) expect(JSON.stringify(definition).length).toBeLessThan(400);
      expect(notes).toEqual([expect.stringMatching(/too large/)]);
      if (index % (SCHEMAS / CHECKED) === 0) expect(checkParametersSchema(tool.parametersSchema, [])).toEqual([]);
    }
  });

  it('are checked through their references, as deep as they are described', () => {
    const validator = new ParameterValidator();
    const [first] = tools;
    if (first === undefined) throw new Error('no tool');
    const contract: ToolContract = {
      ...first.tool,
      version: 1,
      schemaHash: '',
      provider: { providerId: 'acme', name: { en: 'a' }, description: { en: 'a' } },
      categoryDefinitions: [],
    };
    const right = { id: 'a', self: { id: 'b', next: { id: 'c' } }, list: [{ id: 'd' }] };
    expect(validator.check(contract, right)).toEqual([]);
    const faults = validator.check(contract, { id: 'a', self: { id: 'b', next: { id: 5 } }, list: [{}] });
    expect(faults.map(({ type, loc }) => `${type} ${loc.join('.')}`).sort()).toEqual([
      'missing body.parameters.list.0.id',
      'string_type body.parameters.self.next.id',
    ]);
  });
});

describe('a schema that somebody writes', () => {
  it('refers to at most 100 definitions', () => {
    const referring = (count: number): JsonObject => ({
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { $ref: `#/$defs/D${at}` }])),
      $defs: Object.fromEntries(Array.from({ length: count }, (_, at) => [`D${at}`, { type: 'string' }])),
    });
    expect(checkParametersSchema(referring(100), ['s'])).toEqual([]);
    expect(checkParametersSchema(referring(101), ['s'])).toEqual([
      { type: 'too_long', loc: ['s'], msg: expect.stringMatching(/at most 100 definitions, not 101/) },
    ]);
  });
});
