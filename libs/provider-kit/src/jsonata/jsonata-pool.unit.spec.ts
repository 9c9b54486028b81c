import { afterAll, describe, expect, it } from '@jest/globals';
import { JsonataPool } from './jsonata-pool.js';

/** With more time than a slow machine needs. */
const pool = new JsonataPool({ timeoutMs: 2_000 });
afterAll(() => pool.close());

const source = JSON.stringify({
  data: {
    items: [
      { t: 20.04, at: 1 },
      { t: 22, at: 2 },
    ],
    word: 'a'.repeat(60),
    none: null,
  },
  where: { lat: 46.95, lon: 7.44 },
});
const make = (jsonata: string) => pool.compute({ made: jsonata }, source, 'a');

describe('an expression', () => {
  it.each<[string, unknown]>([
    ["$string(where.lat) & ',' & $string(where.lon)", '46.95,7.44'],
    ['$round($average(data.items.t), 1)', 21],
    ['data.items[at = 2].t', 22],
    ['data.items[at > 5]', undefined],
    ['data.none', null],
    ['data.items.{"celsius": t}', [{ celsius: 20.04 }, { celsius: 22 }]],
    ['$exists(data.wind) ? data.wind : "calm"', 'calm'],
    ['constructor', undefined],
    ['data.__proto__.polluted', undefined],
  ])('%s makes what JSONata says', async (jsonata, made) => {
    expect(await make(jsonata)).toEqual({ values: made === undefined ? {} : { made } });
  });

  it.each<[string, string]>([
    ['data.items[', 'S0203'],
    ['1 + data.word', 'T2002'],
    ['$nobody(1)', 'T1006'],
    ['$sum', 'no_json'],
    ['function($x) { $x }', 'no_json'],
    ['$now()', 'forbidden'],
    ['$map([1], $random)', 'forbidden'],
    ['$eval("1")', 'forbidden'],
    [`"${'x'.repeat(1_000)}"`, 'too_long'],
    [Array.from({ length: 60 }, () => '1').join('+'), 'too_deep'],
    ['($deeper := function($n) { 1 + $deeper($n + 1) }; $deeper(0))', 'D1011'],
    ['[1..1000000].($ & "")', 'D2015'],
  ])('%s makes nothing, and says which member it is and why: %s', async (jsonata, code) => {
    expect(await make(jsonata)).toEqual({ fault: { member: 'made', code, detail: expect.stringMatching(/\S/) } });
  });

  it.each([
    ['calls itself for ever', '($again := function() { $again() }; $again())'],
    ['matches a text for ever', '$match(data.word & "!", /^(a+)+$/)'],
    ['takes more memory than there is', '[1..4000].$pad($string($), 400000)'],
  ])('that %s is ended with its process, and the next one is had', async (_what, jsonata) => {
    // Beside much else, what takes for ever may not get half of the processor that it may have.
    expect(await make(jsonata)).toMatch(/^(limits|busy)$/);
    expect(await make('where.lat')).toEqual({ values: { made: 46.95 } });
    expect(pool.inFlight).toBe(0);
  });

  it('leaves nothing behind for the next one', async () => {
    await make('$merge([{"__proto__": {"polluted": 1}}, {"a": 1}]) ~> |$|{"__proto__": {"polluted": 2}}|');
    expect(await make('{}.polluted')).toEqual({ values: {} });
    expect(await make('($x := 1; where ~> |$|{"lat": 0}|)')).toEqual({ values: { made: { lat: 0, lon: 7.44 } } });
    expect(await make('where.lat')).toEqual({ values: { made: 46.95 } });
  });
});
