/** A request that is changed without a change of what it means must not lose the tool. */
import { describe, expect, it } from '@jest/globals';
import { builtinCatalogue } from './test-support/builtin-catalogue.js';
import { needs } from './test-support/paired-needs.js';
import { shippedOptions } from './shipped-options.js';
import { DEFAULT_MIN_FIT, MAX_QUERY_LENGTH, queryTerms, ToolIndex } from './index.js';

const index = new ToolIndex(builtinCatalogue, shippedOptions());
const top = (query: string, limit = 10): string[] =>
  index.search(query, { limit, minFit: DEFAULT_MIN_FIT }).map(({ toolId }) => toolId);

/** Swaps two neighbours inside the longest word. */
function withTypo(query: string): string {
  const longest = query.split(' ').reduce((a, b) => (b.length > a.length ? b : a));
  const middle = Math.floor(longest.length / 2);
  const swapped = `${longest.slice(0, middle - 1)}${longest[middle] ?? ''}${longest[middle - 1] ?? ''}${longest.slice(middle + 1)}`;
  return query.replace(longest, swapped);
}

const changes: Readonly<Record<string, (query: string) => string>> = {
  'as it is': (query) => query,
  'a typo': withTypo,
  'capital letters': (query) => query.toUpperCase(),
  plurals: (query) => query.replace(/\b(number|text|code|language|holiday|country|account|time|phase)\b/g, '$1s'),
  'another order of words': (query) => query.split(' ').reverse().join(' '),
  'polite wrapping': (query) => `Hello! Could you please help me? I would like to ${query}. Thank you very much!`,
  'underscores between words': (query) => query.replaceAll(' ', '_'),
  'full-width letters': (query) =>
    query.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
};

describe('the wanted tool stays among the first ten with', () => {
  it.each(Object.entries(changes))('%s', (_, change) => {
    const lost = needs.filter(([english, , toolId]) => !top(change(english)).includes(toolId));
    expect(lost.map(([english]) => change(english))).toEqual([]);
  });
});

describe('a request in Chinese', () => {
  it('finds the tool that the same request in English finds, among the first ten', () => {
    expect(needs.filter(([, chinese, toolId]) => !top(chinese).includes(toolId)).map(([, chinese]) => chinese)).toEqual(
      [],
    );
  });

  it('finds it as well when it is wrapped politely', () => {
    const wrapped = needs.map(([, chinese, toolId]) => [`你好，请问可以帮我${chinese}吗？谢谢你！`, toolId] as const);
    expect(wrapped.filter(([query, toolId]) => !top(query).includes(toolId)).map(([query]) => query)).toEqual([]);
  });

  it('shares its first five results with English, one of them at least for every need', () => {
    const apart = needs.filter(([english, chinese]) => {
      const inEnglish = new Set(top(english, 5));
      return !top(chinese, 5).some((toolId) => inEnglish.has(toolId));
    });
    expect(apart).toEqual([]);
  });

  it('finds tools that are described in English only', () => {
    const englishOnly = new ToolIndex(
      builtinCatalogue.map((document) => ({
        ...document,
        name: document.name.slice(0, 1),
        description: document.description.slice(0, 1),
      })),
      shippedOptions(),
    );
    const found = needs.filter(([, chinese, toolId]) =>
      englishOnly.search(chinese, { limit: 10 }).some((hit) => hit.toolId === toolId),
    );
    expect(found.length).toBeGreaterThanOrEqual(needs.length - 3);
  });
});

describe('every tool of the catalogue', () => {
  it('is first for its id, and among the first three for its name in either language', () => {
    for (const { toolId, name } of builtinCatalogue) {
      expect(top(toolId)).toEqual([toolId]);
      for (const text of name) expect(top(text, 3)).toContain(toolId);
    }
  });
});

describe('a request of function words', () => {
  it.each(['the', 'a', 'how do I use the', '的了吗', '怎么', '帮我', '可以吗', '你能给我'])(
    '%s: has no term to search by',
    (query) => {
      expect(queryTerms(query, 1)).toEqual([]);
      expect(top(query)).toEqual([]);
    },
  );

  it.each(['可以换算', '帮我翻译', '会计', '它 weather'])('and of others, %s: has one', (query) => {
    expect(queryTerms(query, 1)).toHaveLength(1);
  });
});

describe('a request that no tool can serve', () => {
  it.each([
    'purple monkey dishwasher',
    'xyzzy plugh',
    'order a pizza for dinner',
    'who won the football match yesterday',
    '我想吃火锅',
    '你好',
    '谢谢你',
    '怎么样',
    'qwrtp',
  ])('%s: finds nothing', (query) => {
    expect(top(query)).toEqual([]);
  });
});

describe('bad input', () => {
  it.each([
    ['nothing', ''],
    ['blanks', ' \t\n '],
    ['control characters', '\u0000\u0001\u001b[31m\u007f'],
    ['lone surrogates', '\ud800 \udfff'],
    ['punctuation', '!!! ??? ...'],
  ])('%s: finds nothing and does no harm', (_, query) => {
    expect(top(query)).toEqual([]);
  });

  it('reads a very long query up to its limit, and control characters as blanks', () => {
    const need = 'detect the language of a text ';
    expect(top(need.repeat(1_000))).toContain('lingua.language.detect.v1');
    expect(top(`${'zzz '.repeat(MAX_QUERY_LENGTH / 4)}${need}`)).toEqual([]);
    expect(top('detect\u0000language\u0007text')).toContain('lingua.language.detect.v1');
  });
});
