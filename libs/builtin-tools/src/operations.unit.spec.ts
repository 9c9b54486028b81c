import { describe, expect, it } from '@jest/globals';
import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { operations, ToolInputError } from './worker.js';
import { builtinTools } from './index.js';

const run = async (toolId: string, parameters?: JsonObject): Promise<JsonValue> => {
  const operation = operations.get(toolId);
  const tool = builtinTools.find((candidate) => candidate.toolId === toolId);
  if (operation === undefined || tool === undefined) throw new Error(`no tool ${toolId}`);
  return operation(parameters ?? tool.sampleParameters);
};

/** The sample parameters of every tool, with facts that anybody can look up. */
const facts: Readonly<Record<string, JsonValue>> = {
  'formula.expression.evaluate.v1': { value: 5, text: '5', type: 'number' },
  'formula.unit.convert.v1': { value: 8.04672, unit: 'km', text: '8.04672 km' },
  'formula.statistics.describe.v1': { count: 8, sum: 40, mean: 5, median: 4.5, minimum: 2, maximum: 9 },
  'almanac.time.convert.v1': {
    utc: '2026-07-01T10:00:00Z',
    conversions: [
      {
        zone: 'America/New_York',
        local_time: '2026-07-01T06:00:00-04:00',
        utc_offset_minutes: -240,
        abbreviation: 'EDT',
        daylight_saving: true,
        weekday: 'Wednesday',
      },
      {
        zone: 'Asia/Shanghai',
        local_time: '2026-07-01T18:00:00+08:00',
        utc_offset_minutes: 480,
        abbreviation: 'GMT+8',
        daylight_saving: false,
        weekday: 'Wednesday',
      },
    ],
  },
  'almanac.date.difference.v1': {
    days: 73,
    weekdays: 52,
    years: 0,
    months: 2,
    remaining_days: 14,
    iso_duration: 'P2M14D',
  },
  'almanac.holiday.list.v1': { country_code: 'DE', year: 2026 },
  'atlas.country.facts.v1': {
    country_code: 'DE',
    alpha_3_code: 'DEU',
    name: 'Germany',
    native_name: 'Deutschland',
    capital: 'Berlin',
    continent: 'Europe',
    currencies: ['EUR'],
    languages: [{ code: 'de', name: 'German' }],
    calling_codes: ['+49'],
  },
  'atlas.city.list.v1': {
    rows: [
      {
        geoname_id: 2950159,
        name: 'Berlin',
        country_code: 'DE',
        admin_code: '16',
        population: 3_426_354,
        latitude: 52.52437,
        longitude: 13.41053,
        capital: true,
      },
      { name: 'Hamburg', capital: false },
      { name: 'Munich', capital: false },
    ],
  },
  // GeodSolve of GeographicLib, and the haversine formula with a radius of 6,378.137 km.
  'atlas.distance.geodesic.v1': { distance_km: 879.699, method: 'geodesic', initial_bearing_degrees: 246.81 },
  'toolbox.distance.haversine.v1': { distance_km: 878.446, method: 'great_circle' },
  'lingua.language.detect.v1': { language: 'de', language_name: 'German' },
  'toolbox.language.identify.v1': { language: 'de', language_name: 'German' },
  'lingua.sentiment.score.v1': {
    label: 'positive',
    score: 3,
    word_count: 10,
    positive_words: ['great', 'love'],
    negative_words: ['awful'],
  },
  'lingua.phone.check.v1': {
    valid: true,
    possible: true,
    e164: '+4930901820',
    international: '+49 30 901820',
    national: '030 901820',
    calling_code: '+49',
    country_code: 'DE',
    line_type: 'fixed_line',
  },
  'toolbox.csv.to_json.v1': {
    columns: ['city', 'population'],
    row_count: 2,
    rows: [
      { city: 'Berlin', population: 3_426_354 },
      { city: 'Hamburg', population: 1_739_117 },
    ],
  },
  'toolbox.json.to_csv.v1': {
    csv: 'city,population\r\nBerlin,3426354\r\n"Hamburg, Hanse",1739117',
    row_count: 2,
    column_count: 2,
  },
  'toolbox.qr.svg.v1': { media_type: 'image/svg+xml', version: 2, modules_per_side: 25 },
};

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
