import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readStream } from '@capability-router/event-store';
import { systemClock } from '@capability-router/kernel';
import { YamlPool } from '@capability-router/provider-kit/documents';
import type { ImportFormat } from '@capability-router/service-kit';
import { Expressions } from '../../expressions/expressions.js';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/scratch-database.js';
import { sampleDocument } from '../test-support/sample-document.js';
import { ImportCapabilities } from './import-capabilities.js';

/** More than one transaction writes. */
const MANY = 150;
const options = { dryRun: false, allowBreaking: false };

let database: ScratchDatabase;
let imports: ImportCapabilities;
const yaml = new YamlPool(() => undefined);
const expressions = new Expressions({ error: () => undefined });
beforeAll(async () => {
  database = await createScratchDatabase();
  imports = new ImportCapabilities(database.pool, systemClock, () => undefined, yaml, expressions);
});
afterAll(async () => {
  await Promise.all([yaml.onApplicationShutdown(), expressions.onApplicationShutdown()]);
  await database.drop();
});

/** In pieces that end in the middle of a row. */
async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += 5_000) yield bytes.subarray(from, from + 5_000);
}

async function bring(text: string, format: ImportFormat = 'ndjson', over: object = {}) {
  const lines: Record<string, unknown>[] = [];
  for await (const line of imports.run(piecesOf(text), format, { ...options, ...over })) lines.push({ ...line });
  const [summary, ...report] = lines.reverse();
  return { report: report.reverse(), results: (summary?.['summary'] as { results: object }).results };
}
const rowOf = (capabilityId: string, over: object = {}): string =>
  JSON.stringify({ capability_id: capabilityId, ...sampleDocument(over) });

describe('an import of contracts', () => {
  it('makes each row a contract, says of each what became of it, and changes nothing when it is repeated', async () => {
    const text = Array.from({ length: MANY }, (_, index) => rowOf(`rows.n${index}`)).join('\n');
    const first = await bring(text);
    expect(first.results).toEqual({ created: MANY });
    expect(first.report).toHaveLength(MANY);
    expect(first.report.at(-1)).toMatchObject({
      row: MANY,
      line: MANY,
      capability_id: `rows.n${MANY - 1}`,
      contract_version: 1,
      bindings: [{ status: 'unknown_tool' }],
    });
    expect((await bring(text)).results).toEqual({ unchanged: MANY });
    expect(await readStream(database.pool, 'rows.n0')).toHaveLength(1);
  });

  it('goes on behind a row that is broken, there twice, or would break callers', async () => {
    await bring(rowOf('rows.kept'));
    const text = [
      '{"capability_id":',
      rowOf('rows.kept', { effect: 'unsafe' }),
      rowOf('rows.last'),
      rowOf('rows.last'),
      JSON.stringify({ ...sampleDocument() }),
    ].join('\n');
    const { report, results } = await bring(text);
    expect(results).toEqual({ invalid: 3, refused: 1, created: 1 });
    expect(report).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ row: 1, result: 'invalid', details: [expect.objectContaining({ type: 'syntax' })] }),
        expect.objectContaining({ row: 2, result: 'refused', breaks: [expect.stringContaining('effect: ')] }),
        expect.objectContaining({ row: 3, result: 'created' }),
        expect.objectContaining({ row: 4, details: [expect.objectContaining({ msg: 'Row 3 has the same id' })] }),
        expect.objectContaining({ row: 5, details: [expect.objectContaining({ loc: ['capability_id'] })] }),
      ]),
    );
    expect((await bring(text, 'ndjson', { allowBreaking: true })).results).toMatchObject({ changed: 1 });
  });

  it('reads YAML, and writes nothing where it is only asked what would be', async () => {
    const rows = `${rowOf('rows.yaml')}\n---\na: [\n`;
    expect((await bring(rows, 'yaml', { dryRun: true })).results).toEqual({ created: 1, invalid: 1 });
    expect(await readStream(database.pool, 'rows.yaml')).toEqual([]);
    expect((await bring(`kind: capability\n${yamlOf('rows.yaml')}`, 'yaml')).results).toEqual({ created: 1 });
  });
});

/** JSON members are YAML. */
const yamlOf = (capabilityId: string): string =>
  Object.entries({ capability_id: capabilityId, ...sampleDocument() })
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('\n');
