import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { canonicalJson, type JsonValue } from '@capability-router/kernel';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';
import { resolveTools } from './domain/resolve-tool.js';
import { hashTool } from './hash-tool.js';

const sha256 = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalJson(JSON.parse(JSON.stringify(value)) as JsonValue))
    .digest('hex');

describe('the hashes of a tool', () => {
  it.each([
    ['plain', sampleTool()],
    [
      'with members in another order',
      Object.fromEntries(Object.entries(sampleTool()).reverse()) as unknown as ReturnType<typeof sampleTool>,
    ],
    [
      'with awkward names and values',
      sampleTool({ sampleParameters: { 'ü"\\': [null, -0, 1e21, { b: 1, a: [] }], '': '\u2028' } }),
    ],
  ])('are those of its canonical JSON: %s', (_what, manifest) => {
    const [tool] = resolveTools(sampleSource({ tools: [{ ...sampleTool(), ...manifest }] }));
    if (tool === undefined) throw new Error('the sample has a tool');
    const { provider: _provider, categoryDefinitions: _categories, ...own } = tool;
    expect(hashTool(tool)).toMatchObject({ schemaHash: sha256(own), contractHash: sha256(tool) });
  });
});
