import { expect, it } from '@jest/globals';
import type { JsonObject } from '@capability-router/kernel';
import { toTools, type ListedTool } from './to-tools.js';

const server = { transport: 'stdio', command: 'x' } as const;
const choices = {
  providerId: 'acme',
  price: { metering: { kind: 'call' }, amountMicroCredits: '0', unitLabel: 'call' },
  categories: [],
  timeoutMs: 1_000,
  knownIds: {},
  server,
} as const;
const listed = (
  name: string,
  inputSchema: JsonObject = { type: 'object' },
  over: Partial<ListedTool> = {},
): ListedTool => ({
  name,
  inputSchema,
  readOnly: false,
  idempotent: false,
  ...over,
});

it('makes the tools of a server tools of the catalogue, closed and of 2020-12', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { tree: { $ref: '#/definitions/Tree' } },
    definitions: { Tree: { type: 'object', properties: { left: { $ref: '#/definitions/Tree' } } } },
    additionalProperties: true,
  };
  const { tools } = toTools(
    [listed('plantTree', schema, { title: 'Plant', description: 'Plants.', readOnly: true })],
    choices,
  );
  expect(tools).toEqual([
    {
      key: 'plantTree',
      notes: [expect.stringMatching(/does not name/)],
      tool: expect.objectContaining({
        toolId: 'acme.plant.tree.v1',
        name: { en: 'Plant' },
        description: { en: 'Plants.' },
        binding: { kind: 'mcp', server, tool: 'plantTree', auth: { kind: 'none' }, retrySafe: true },
        parametersSchema: {
          type: 'object',
          additionalProperties: false,
          properties: { tree: { $ref: '#/$defs/Tree' } },
          $defs: { Tree: { type: 'object', properties: { left: { $ref: '#/$defs/Tree' } } } },
        },
      }),
    },
  ]);
});

it('skips what cannot be called, and says why', () => {
  const bad = { type: 'object', properties: { a: { $ref: 'https://elsewhere.example/x' } } };
  const { tools, skipped } = toTools(
    [
      listed('get-a'),
      listed('get-a'),
      listed('  '),
      listed('***'),
      listed('b', { type: 'array' }),
      listed('c', bad),
      listed('other'),
    ],
    { ...choices, exclude: ['other'] },
  );
  expect(tools.map(({ key }) => key)).toEqual(['get-a']);
  expect(skipped.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/twice/),
    expect.stringMatching(/sent/),
    expect.stringMatching(/letters/),
    expect.stringMatching(/no object/),
    expect.stringMatching(/leads out/),
  ]);
});
