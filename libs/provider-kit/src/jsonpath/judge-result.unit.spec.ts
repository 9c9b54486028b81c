import { afterAll, describe, expect, it } from '@jest/globals';
import type { ResultPredicates } from '@capability-router/contracts';
import type { JsonValue } from '@capability-router/kernel';
import { JsonPathPool } from './json-path-pool.js';
import { judgeResult, type ResultVerdict } from './judge-result.js';

/** With more time than a slow machine needs. */
const pool = new JsonPathPool({ timeoutMs: 2_000 });
afterAll(() => pool.close());

const judge = (rules: ResultPredicates, data: JsonValue) => judgeResult(rules, JSON.stringify(data), pool, 'test.tool');

describe('the rules of a tool', () => {
  it.each<[string, ResultPredicates, JsonValue, object]>([
    ['none', {}, { a: 1 }, { empty: false, partial: false }],
    ['a member that is there', { emptyWhen: '$.none' }, { none: null }, { empty: true, partial: false }],
    ['a member that is not there', { emptyWhen: '$.none' }, { some: 1 }, { empty: false, partial: false }],
    ['a value', { emptyWhen: "$[?$.status == 'ZERO_RESULTS']" }, { status: 'ZERO_RESULTS' }, { empty: true }],
    ['another value', { emptyWhen: "$[?$.status == 'ZERO_RESULTS']" }, { status: 'OK' }, { empty: false }],
    ['a partial result', { partialWhen: '$.rows[?@.error]' }, { rows: [{}, { error: 1 }] }, { partial: true }],
    ['both', { emptyWhen: '$.none', partialWhen: '$.more' }, { more: 1 }, { empty: false, partial: true }],
    ['a lone text', { emptyWhen: '$.none' }, 'text', { empty: false, partial: false }],
    ['a schema that fits', { schema: { required: ['rows'] } }, { rows: 1 }, { empty: false, partial: false }],
    ['a schema that does not', { schema: { required: ['rows'] } }, {}, { misfit: expect.stringContaining("'rows'") }],
  ])('%s are held to a result', async (_what, rules, data, verdict) => {
    expect(await judge(rules, data)).toMatchObject(verdict);
    expect(Object.keys((await judge(rules, data)) as ResultVerdict).includes('misfit')).toBe('misfit' in verdict);
  });

  it.each<[string, ResultPredicates]>([
    ['is no JSONPath', { emptyWhen: '$[' }],
    ['takes for ever', { partialWhen: "$[?search(@, '(a+)+$b')]" }],
    ['is no schema', { schema: { type: 'nonsense' } }],
    ['is a schema that takes for ever', { schema: { type: 'array', items: { type: 'string', pattern: '^(a+)+$' } } }],
  ])('cannot be decided where one %s, and the next result can', async (what, rules) => {
    // Beside much else, what takes for ever may not get half of the processor that it may have.
    expect(await judge(rules, [`${'a'.repeat(60)}!`])).toMatch(
      what.includes('for ever') ? /^(limits|busy)$/ : /^limits$/,
    );
    expect(await judge({ emptyWhen: '$[0]' }, [1])).toEqual({ empty: true, partial: false });
  });

  it('looks no further than the first value that is selected', async () => {
    expect(
      await judge(
        { emptyWhen: '$[*]' },
        Array.from({ length: 200_000 }, () => 1),
      ),
    ).toMatchObject({ empty: true });
  });
});
