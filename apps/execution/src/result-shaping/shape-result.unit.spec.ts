import { afterAll, describe, expect, it } from '@jest/globals';
import type { JsonValue } from '@capability-router/kernel';
import { JsonPathPool } from '@capability-router/provider-kit';
import { parseProjection, type Projection } from './projection.js';
import { shapeResult } from './shape-result.js';
import { utf8Prefix } from './utf8-prefix.js';

/** With more time than a slow machine needs. */
const jsonPaths = new JsonPathPool({ timeoutMs: 2_000 });
afterAll(() => jsonPaths.close());

const kept: string[] = [];
async function shape(data: JsonValue, maxResponseBytes: number | undefined, respondWith = 'full') {
  const parsed = parseProjection(respondWith);
  if (!parsed.ok) throw new Error(parsed.error);
  return shapeResult(
    {
      data,
      serialized: Buffer.from(JSON.stringify(data)),
      maxResponseBytes,
      projection: parsed.value,
      rowsPath: undefined,
    },
    {
      projectFields: (text, { fields }: Extract<Projection, { kind: 'fields' }>) => jsonPaths.select(text, fields, 'a'),
      keep: (content) => {
        kept.push(content.toString());
        return Promise.resolve('https://example.com/link');
      },
      linkMinutes: 120,
    },
  );
}

describe('max_response_size', () => {
  it('leaves a result of exactly the size alone, and -1 leaves any', async () => {
    expect(await shape('好好', 8)).toEqual({ data: '好好' });
    expect(await shape('x'.repeat(100_000), undefined)).toEqual({ data: 'x'.repeat(100_000) });
  });

  it('counts UTF-8 bytes of the serialised data, and a preview never splits a character', async () => {
    const result = await shape('好好', 7);
    expect(result).not.toHaveProperty('data');
    expect(result['truncated_content']).toBe('"好好');
    expect(result).toMatchObject({
      full_content_file_url: 'https://example.com/link',
      content_schema: { type: 'string' },
    });
    expect(kept.at(-1)).toBe('"好好"');
  });

  it('gives a prefix at every cut that is whole characters and within the bytes', () => {
    const text = 'aé好😀z';
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const prefix = utf8Prefix(bytes, cut);
      expect(text.startsWith(prefix)).toBe(true);
      expect(Buffer.byteLength(prefix)).toBeLessThanOrEqual(cut);
      expect(cut - Buffer.byteLength(prefix)).toBeLessThan(4);
    }
  });
});

describe('respond_with', () => {
  const data = {
    rows: [
      { name: 'a', size: 1 },
      { name: 'b', size: 2.5 },
    ],
    total: 2,
  };

  it('summary gives size, rows, fields, schema and a link, whatever the size', async () => {
    expect(await shape(data, 1, 'summary')).toMatchObject({
      respond_with: 'summary',
      summary: { size_bytes: JSON.stringify(data).length, row_count: 2, fields: ['name', 'size'] },
      content_schema: {
        type: 'object',
        properties: { rows: { items: { properties: { size: { type: 'number' } } } }, total: { type: 'integer' } },
      },
      full_content_file_url: 'https://example.com/link',
    });
  });

  it('fields selects by JSONPath, single values bare, and names them by their last segment', async () => {
    expect(await shape(data, undefined, 'fields:$.total, $.rows[*].name')).toEqual({
      respond_with: 'fields:$.total, $.rows[*].name',
      data: { total: 2, name: ['a', 'b'] },
    });
  });

  it('fields names colliding selections by their expressions', async () => {
    const result = await shape(data, undefined, 'fields:$.rows[0].name,$.rows[1].name');
    expect(result['data']).toEqual({ '$.rows[0].name': 'a', '$.rows[1].name': 'b' });
  });

  it('fields does not split at commas inside an expression', async () => {
    const result = await shape({ 'a,b': 1, c: [1, 2, 3] }, undefined, `fields:$['a,b'],$.c[0,2]`);
    expect(result['data']).toEqual({ 'a,b': 1, '$.c[0,2]': [1, 3] });
  });

  it('fields projects first and truncates after', async () => {
    const large = { small: 1, large: 'x'.repeat(1_000) };
    expect(await shape(large, 50, 'fields:$.small')).toMatchObject({ data: { small: 1 } });
    expect(await shape(large, 50, 'fields:$.large')).toHaveProperty('truncated_content');
  });

  it('fields that run for ever end in a truncated answer, and the next ones work', async () => {
    const evil = { text: 'a'.repeat(60) };
    const result = await shape(evil, undefined, `fields:$[?search(@, '(a+)+$b')]`);
    expect(result).not.toHaveProperty('data');
    expect(result).toHaveProperty('full_content_file_url');
    expect(await shape(data, undefined, 'fields:$.total')).toMatchObject({ data: { total: 2 } });
  });

  it.each(['fields:', 'fields: , ', 'fields:rows', 'fields:$.a[', 'rows', ''])('%j is refused', (text) => {
    expect(parseProjection(text).ok).toBe(false);
  });
});
