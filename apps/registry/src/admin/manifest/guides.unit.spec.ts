import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isJsonObject } from '@capability-router/kernel';
import { parseYaml } from '@capability-router/provider-kit/documents';
import { providerDocument, toolDocument } from '../test-support/sample-manifest.js';
import { readManifest } from './read-manifest.js';

interface Block {
  readonly name: string;
  readonly language: string;
  readonly text: string;
}

const blocks = ['add-tools.md', 'providers.md'].flatMap((file): Block[] => {
  const guide = readFileSync(new URL(`../../../../../docs/guides/${file}`, import.meta.url), 'utf8');
  return [...guide.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(({ 1: language = '', 2: text = '', index }) => ({
    name: `${file}:${guide.slice(0, index).split('\n').length + 1}`,
    language,
    text,
  }));
});
const of = (language: string): Block[] => blocks.filter((block) => block.language === language);
const faultsOf = (document: unknown, only?: 'provider'): unknown => {
  const read = readManifest(document, { base: [], maxValues: 10_000, ...(only === undefined ? {} : { only }) });
  return read.ok ? [] : read.error;
};

/** The parts of a manifest that a guide shows, each in the place where it belongs. */
function manifestWith(document: Record<string, unknown>): unknown {
  if ('provider_id' in document) return document;
  if ('egress' in document) return providerDocument(document);
  if (['price', 'cache', 'result', 'freshness', 'terms'].some((member) => member in document))
    return providerDocument({ tools: [pricedTool(document)] });
  const binding = document['binding'] ?? { kind: 'mcp', tool: 'x', ...document };
  const parameters_schema = {
    type: 'object',
    additionalProperties: false,
    required: ['city'],
    properties: { city: { type: 'string' }, days: { type: 'integer' }, units: { type: 'string' } },
  };
  return providerDocument({ tools: [toolDocument({ binding, parameters_schema })] });
}

/** With the parameters that prices in the guides name. */
const pricedTool = (document: Record<string, unknown>): unknown =>
  toolDocument({
    parameters_schema: {
      type: 'object',
      additionalProperties: false,
      required: ['city', 'minutes'],
      properties: {
        city: { type: 'string' },
        limit: { type: 'integer', maximum: 100 },
        minutes: { type: 'integer', minimum: 1 },
      },
    },
    examples: [],
    ...document,
  });

describe('what the guides tell people to send', () => {
  it('is found', () => {
    expect(of('yaml').length).toBeGreaterThanOrEqual(5);
    expect(of('sh').filter(({ text }) => text.includes("<<'ROWS'"))).toHaveLength(1);
  });

  it.each(of('yaml'))('is taken as it stands: YAML of $name', ({ text }) => {
    const parsed = parseYaml(text);
    if ('problem' in parsed) throw new Error(parsed.problem);
    if (!isJsonObject(parsed.document)) throw new Error('no object');
    expect(faultsOf(manifestWith(parsed.document), 'provider')).toEqual([]);
  });

  it('is taken as it stands: the rows of an import, of which the last shows a fault', () => {
    const rows = of('sh').flatMap(({ text }) => /<<'ROWS'\n(.*?)\nROWS$/ms.exec(text)?.[1]?.split('\n') ?? []);
    const faults = rows.map((row) => faultsOf(JSON.parse(row)));
    expect(faults.slice(0, -1)).toEqual([[], []]);
    expect(faults.at(-1)).toEqual(
      expect.arrayContaining([expect.objectContaining({ type: 'missing', loc: ['name'], msg: 'Field required' })]),
    );
  });
});
