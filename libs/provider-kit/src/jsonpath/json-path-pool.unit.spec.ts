import { afterAll, describe, expect, it } from '@jest/globals';
import { JsonPathPool } from './json-path-pool.js';

const pools: JsonPathPool[] = [];
const poolOf = (options: ConstructorParameters<typeof JsonPathPool>[0] = {}): JsonPathPool => {
  // With more time than a slow machine needs.
  const pool = new JsonPathPool({ timeoutMs: 2_000, ...options });
  pools.push(pool);
  return pool;
};
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

const data = JSON.stringify({ text: 'a'.repeat(60), list: [1, 2, 3], ['__proto__']: { x: 1 } });
const one = (expression: string, singular = false) => [{ expression, name: 'value', singular }];
/** Takes for ever: a regex that backtracks without end. */
const endless = one(`$[?search(@, '(a+)+$b')]`);

describe('a selection', () => {
  it('is a list of values, or the one value of a singular path, or nothing', async () => {
    const pool = poolOf();
    expect(await pool.select(data, one('$.list[*]'), 'a')).toBe('{"value":[1,2,3]}');
    expect(await pool.select(data, one('$.list[1]', true), 'a')).toBe('{"value":2}');
    expect(await pool.select(data, one('$.none', true), 'a')).toBe('{}');
    expect(await pool.select(data, one('$.__proto__.x', true), 'a')).toBe('{"value":1}');
  });

  it.each([
    ['takes for ever', data, endless],
    ['selects too many values', JSON.stringify(Array(10_001).fill(1)), one('$[*]')],
    ['selects too much', JSON.stringify(Array(40).fill(['x'.repeat(1_000_000)])), one('$..*')],
    ['is unreadable', data, one('$[')],
    ['is over something that is no JSON', '{', one('$')],
  ])('that %s is not had, and the next one is', async (_name, text, selections) => {
    const pool = poolOf();
    // Beside much else, what takes for ever may not get half of the processor that it may have.
    const why = selections === endless ? /^(limits|busy)$/ : /^limits$/;
    expect(await pool.run({ data: text, selections }, 'a')).toMatch(why);
    expect(await pool.select(data, one('$.list[0]', true), 'a')).toBe('{"value":1}');
    expect(pool.inFlight).toBe(0);
  });
});

describe('the pool', () => {
  it('answers one task while another takes for ever', async () => {
    const pool = poolOf({ maxProcesses: 2, timeoutMs: 60_000 });
    let ended = false;
    const slow = pool.select(data, endless, 'a').finally(() => (ended = true));
    expect(await pool.select(data, one('$.list[0]', true), 'b')).toBe('{"value":1}');
    expect(ended).toBe(false);
    await pool.close();
    expect(await slow).toBeUndefined();
  });

  it('lets a task wait for a bounded time, and refuses one above its queue at once', async () => {
    const pool = poolOf({ maxProcesses: 1, maxQueue: 1, maxWaitMs: 50, timeoutMs: 60_000 });
    const slow = pool.select(data, endless, 'a');
    const waiting = pool.select(data, one('$.list'), 'a');
    expect(pool.inFlight).toBe(2);
    expect(await pool.run({ data, selections: one('$.list') }, 'a')).toBe('busy');
    expect(pool.inFlight).toBe(2);
    expect(await waiting).toBeUndefined();
    await pool.close();
    expect(await slow).toBeUndefined();
  });
});
