import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { JsonValue } from '@capability-router/kernel';
import { inferSchema } from '@capability-router/tool-calls';
import { parseProjection } from './projection.js';
import { shapeResult } from './shape-result.js';
import { utf8Prefix } from './utf8-prefix.js';

/** Texts of every length of UTF-8 character, lone surrogates and escapes included. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', 'é', '好', '😀', '\ud800', '"', '\\', '\u0000', '\u200d', '\ufffd') }),
);
const anyJson = fc
  .jsonValue({ stringUnit: 'binary', depthSize: 'medium' })
  .chain((value) =>
    fc.oneof(fc.constant(value), fc.array(anyText), fc.dictionary(anyText, anyText)),
  ) as fc.Arbitrary<JsonValue>;
/** Names that are no Unicode text are more than the validator can compile. */
const wellFormedJson = fc.jsonValue({ stringUnit: 'grapheme', depthSize: 'medium' }) as fc.Arbitrary<JsonValue>;
const anyBound = fc.nat({ max: 400 });
/** Milliseconds; each schema of a random result is compiled, which takes long on a busy machine. */
const TIMEOUT_MS = 240_000;
/** TEST_SEED plays the same values again; a failure prints it. */
const seed = process.env['TEST_SEED'];
const seeded = seed === undefined ? {} : { seed: Number(seed) };

async function shape(data: JsonValue, maxResponseBytes: number, respondWith: 'full' | 'summary') {
  const projection = parseProjection(respondWith);
  if (!projection.ok) throw new Error(projection.error);
  const serialized = Buffer.from(JSON.stringify(data));
  const kept: Buffer[] = [];
  const result = await shapeResult(
    { data, serialized, maxResponseBytes, projection: projection.value, rowsPath: undefined },
    {
      projectFields: () => Promise.resolve(undefined),
      keep: (content) => {
        kept.push(content);
        return Promise.resolve('https://example.com/link');
      },
      linkMinutes: 120,
    },
  );
  return { result, serialized, kept };
}

describe('truncation, whatever the result is', () => {
  it(
    'gives all of it, or a preview within the bound and a link to all of it, and never both',
    async () => {
      await fc.assert(
        fc.asyncProperty(anyJson, anyBound, async (data, bound) => {
          const { result, serialized, kept } = await shape(data, bound, 'full');
          if (serialized.length <= bound) {
            expect(result).toEqual({ data });
            expect(kept).toEqual([]);
            return;
          }
          expect(Object.keys(result).sort()).toEqual([
            'content_schema',
            'full_content_file_url',
            'message',
            'truncated_content',
          ]);
          const preview = Buffer.from(result['truncated_content'] as string);
          expect(preview.length).toBeLessThanOrEqual(bound);
          // As many whole characters as fit.
          expect(bound - preview.length).toBeLessThan(4);
          expect(serialized.subarray(0, preview.length).equals(preview)).toBe(true);
          // The link leads to JSON in UTF-8 that says the same.
          expect(kept).toHaveLength(1);
          const text = new TextDecoder('utf-8', { fatal: true }).decode(kept[0]);
          expect(JSON.stringify(JSON.parse(text))).toBe(serialized.toString());
        }),
        { numRuns: 500, ...seeded },
      );
    },
    TIMEOUT_MS,
  );

  it(
    'describes it by a JSON Schema that it is valid against',
    async () => {
      // Each validator compiles the schema of schemas anew, which takes longer than all the rest.
      // A member named as one that every object inherits is absent where the object has none of its own.
      const ajv = new Ajv2020({ strict: false, ownProperties: true });
      await fc.assert(
        fc.asyncProperty(wellFormedJson, async (data) => {
          const { result } = await shape(data, -1, 'summary');
          expect(result).not.toHaveProperty('data');
          const schema = result['content_schema'];
          expect(schema).toEqual(inferSchema(data));
          expect({ valid: ajv.validate(schema as object, data), errors: ajv.errors }).toEqual({
            valid: true,
            errors: null,
          });
        }),
        { numRuns: 200, ...seeded },
      );
    },
    TIMEOUT_MS,
  );

  it('cuts any bytes of UTF-8 between two characters, and cutting again changes nothing', () => {
    fc.assert(
      fc.property(anyText, anyBound, (text, bound) => {
        const bytes = Buffer.from(text);
        const prefix = utf8Prefix(bytes, bound);
        const length = Buffer.byteLength(prefix);
        expect(length).toBeLessThanOrEqual(bound);
        expect(bytes.toString().startsWith(prefix)).toBe(true);
        expect(length === bytes.length || bound - length < 4).toBe(true);
        expect(utf8Prefix(Buffer.from(prefix), bound)).toBe(prefix);
      }),
      { numRuns: 1_000, ...seeded },
    );
  });
});
