import { describe, expect, it } from '@jest/globals';
import { isJsonObject, type JsonObject } from '@capability-router/kernel';
import { builtinTools } from './index.js';
import { runTool as run } from './test-support/run-tool.js';
import { sampleFacts as facts } from './test-support/sample-facts.js';
import { ToolInputError } from './worker.js';

it('has a fact to check for every tool', () => {
  expect(Object.keys(facts).sort()).toEqual(builtinTools.map(({ toolId }) => toolId).sort());
});

it.each(Object.entries(facts))('%s answers its sample parameters with the known facts', async (toolId, expected) => {
  expect(await run(toolId)).toMatchObject(expected as object);
});

describe('formula.expression.evaluate.v1', () => {
  const evaluate = (expression: string) => run('formula.expression.evaluate.v1', { expression });

  it('calculates with matrices, complex numbers and units', async () => {
    expect(await evaluate('[1, 2; 3, 4] * 2')).toMatchObject({
      value: [
        [2, 4],
        [6, 8],
      ],
    });
    expect(await evaluate('sqrt(-4)')).toEqual({ text: '2i', type: 'Complex' });
    expect(await evaluate('5 mile to km')).toEqual({ text: '8.04672 km', type: 'Unit' });
    expect(await evaluate('a = 2; a^10')).toMatchObject({ value: 1024 });
  });

  it.each([
    'import({a: 1})',
    'evaluate("1")',
    'parse("1")',
    'createUnit("foo")',
    'config({})',
    'typed("f", {"any": f(x) = 1})',
    'map([1], typed)',
    'matrix([[1]]).constructor',
    'cos.constructor("return process")',
  ])('refuses to reach into the evaluator: %s', async (expression) => {
    await expect(evaluate(expression)).rejects.toThrow(ToolInputError);
  });

  it.each(['3 +', 'x', 'f(x) = x', 'f(x) = f(x + 1); f(1)'])('explains what is wrong with %s', async (expression) => {
    await expect(evaluate(expression)).rejects.toThrow(ToolInputError);
  });

  it('keeps nothing from one call to the next', async () => {
    await evaluate('sqrt(x) = 99; leak = 5');
    expect(await evaluate('sqrt(16)')).toMatchObject({ value: 4 });
    await expect(evaluate('leak')).rejects.toThrow('Undefined symbol leak');
  });
});

describe('nothing usable', () => {
  it.each<[string, JsonObject]>([
    ['almanac.holiday.list.v1', { country_code: 'DE', date: '2026-10-05' }],
    ['atlas.city.list.v1', { country_code: 'DE', name_prefix: 'Zzyzx' }],
    ['toolbox.csv.to_json.v1', { csv: 'a,b\n' }],
  ])('%s answers with empty rows', async (toolId, parameters) => {
    expect(await run(toolId, parameters)).toMatchObject({ rows: [] });
  });

  it.each<[string, JsonObject]>([
    ['atlas.country.facts.v1', { country_code: 'ZZ' }],
    ['lingua.language.detect.v1', { text: '12 34' }],
    ['toolbox.language.identify.v1', { text: '12 34' }],
  ])('%s answers with null', async (toolId, parameters) => {
    expect(await run(toolId, parameters)).toBeNull();
  });
});

describe('a fault of the caller', () => {
  it.each<[string, JsonObject]>([
    ['formula.unit.convert.v1', { value: 1, from_unit: 'kg', to_unit: 'm' }],
    ['almanac.holiday.list.v1', { country_code: 'ZZ', year: 2026 }],
    ['almanac.time.convert.v1', { datetime: '2026-99-01T00:00', to_zones: ['UTC'] }],
    ['almanac.time.convert.v1', { datetime: '2026-01-01T00:00', to_zones: ['Mars/Base'] }],
    ['almanac.date.difference.v1', { start_date: '2026-02-30', end_date: '2026-03-01' }],
    ['lingua.phone.check.v1', { phone_number: '12345', country_code: 'ZZ' }],
    ['toolbox.csv.to_json.v1', { csv: 'a,b\n1,"x\n2,3' }],
    ['toolbox.qr.svg.v1', { text: '汉'.repeat(2_000), error_correction: 'H' }],
  ])('%s is a ToolInputError for %j', async (toolId, parameters) => {
    await expect(run(toolId, parameters)).rejects.toThrow(ToolInputError);
  });
});

it('converts temperatures without binary noise', async () => {
  const parameters = { value: 100, from_unit: 'degF', to_unit: 'degC' };
  expect(await run('formula.unit.convert.v1', parameters)).toMatchObject({ value: 37.777777777778 });
});

it('finds the nine nationwide holidays of Germany, and the one on 3 October', async () => {
  const year = await run('almanac.holiday.list.v1', { country_code: 'DE', year: 2026 });
  expect(year).toMatchObject({
    rows: [
      '2026-01-01',
      '2026-04-03',
      '2026-04-06',
      '2026-05-01',
      '2026-05-14',
      '2026-05-25',
      '2026-10-03',
      '2026-12-25',
      '2026-12-26',
    ].map((date) => ({ date })),
  });
  expect(await run('almanac.holiday.list.v1', { country_code: 'DE', date: '2026-10-03' })).toMatchObject({
    rows: [{ date: '2026-10-03', type: 'public' }],
  });
});

it('counts days backwards when the end comes first', async () => {
  const parameters = { start_date: '2026-03-15', end_date: '2026-01-01' };
  expect(await run('almanac.date.difference.v1', parameters)).toMatchObject({ days: -73, weekdays: -52 });
});

it('finds a country by its Chinese name and a city without accents', async () => {
  expect(await run('atlas.country.facts.v1', { country_name: '中国' })).toMatchObject({ country_code: 'CN' });
  expect(await run('atlas.city.list.v1', { country_code: 'BR', name_prefix: 'sao p', limit: 1 })).toMatchObject({
    rows: [{ name: 'São Paulo' }],
  });
});

it('returns far more than a truncated answer holds for a long list of cities', async () => {
  const answer = await run('atlas.city.list.v1', { country_code: 'DE', limit: 5_000 });
  const rows = isJsonObject(answer) ? answer['rows'] : undefined;
  expect(Array.isArray(rows) ? rows.length : 0).toBe(5_000);
  expect(JSON.stringify(answer).length).toBeGreaterThan(500_000);
});

it('answers that a text is no phone number instead of failing', async () => {
  expect(await run('lingua.phone.check.v1', { phone_number: 'call me' })).toEqual({
    valid: false,
    possible: false,
    reason: 'not_a_number',
  });
});

it('keeps the spelling of what only looks like a number in CSV', async () => {
  expect(await run('toolbox.csv.to_json.v1', { csv: 'id,ok,note\n007,true,\n12,false,x\n' })).toMatchObject({
    rows: [
      { id: '007', ok: true, note: null },
      { id: 12, ok: false, note: 'x' },
    ],
  });
});

it('defuses spreadsheet formulas on request', async () => {
  const parameters = { rows: [{ a: '=1+1' }], escape_formulas: true };
  expect(await run('toolbox.json.to_csv.v1', parameters)).toMatchObject({ csv: 'a\r\n"\'=1+1"' });
});
