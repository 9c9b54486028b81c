import { describe, expect, it } from '@jest/globals';
import { ChineseGlosses } from '../glosses/index.js';
import { Dictionary } from '../index/dictionary.js';
import { parseQuery } from './parse-query.js';
import { resolveTerms } from './resolve-terms.js';

const glosses = new ChineseGlosses([
  ['查询', ['check', 'inquire', 'consult', 'query', 'inquiry', 'ask', 'look']],
  ['火锅', ['hotpot', 'chafing']],
]);

/** `frequencies`: tools that hold a term. */
function resolved(
  query: string,
  frequencies: Readonly<Record<string, number>>,
  documents: number,
  shares?: Readonly<Record<string, number>>,
) {
  const dictionary = new Dictionary();
  for (const [term, frequency] of Object.entries(frequencies)) {
    dictionary.countDocuments(dictionary.add(term), frequency);
  }
  const shareOf = shares === undefined ? undefined : (term: string) => shares[term] ?? 0;
  const terms = resolveTerms(parseQuery(query, glosses), dictionary, { documents, shareOf }, undefined);
  return new Map(terms.flatMap((term) => (term === undefined ? [] : [[term.term, term] as const])));
}

describe('how rare a word is', () => {
  const films = { movi: 50, rate: 10 };
  const shares = { movi: 0.001, rate: 0.05 };

  it('is judged by the catalogue alone where nothing else is known', () => {
    const terms = resolved('movie rating', films, 50);
    expect(terms.get('movi')?.importance).toBeLessThan(0.05);
  });

  it('is judged by tools at large too: what every tool of a small catalogue says still says something', () => {
    const terms = resolved('movie rating', films, 50, shares);
    expect(terms.get('movi')?.importance).toBeGreaterThan(terms.get('rate')?.importance ?? 0);
  });

  it('is judged by a large catalogue as if there were no other', () => {
    const large = { movi: 50_000, rate: 10_000 };
    const [with_, without] = [
      resolved('movie rating', large, 100_000, shares),
      resolved('movie rating', large, 100_000),
    ];
    for (const term of ['movi', 'rate']) {
      expect(with_.get(term)?.importance).toBeCloseTo(without.get(term)?.importance ?? 0, 1);
    }
  });
});

describe('English words for a Chinese one', () => {
  it('are the first four that some tool holds, the earlier the weightier', () => {
    const held = { inquir: 3, queri: 3, ask: 3, look: 3, check: 0 };
    const english = [...resolved('查询', held, 100).values()].filter(({ said }) => !said);
    expect(english.map(({ term }) => term)).toEqual(['inquir', 'queri', 'ask', 'look']);
    english.forEach(({ weight }, rank) => expect(weight).toBeCloseTo(0.8 ** (rank + 1), 12));
  });

  it('are as rare as the most common of them: a rare translation is no better evidence', () => {
    const terms = resolved('查询', { check: 40, consult: 1 }, 100);
    const [check, consult] = [terms.get('check'), terms.get('consult')];
    expect(consult?.importance).toBeCloseTo(0.8 * (check?.importance ?? 0), 12);
  });

  it('stand for a word that nobody knows where no tool holds any', () => {
    const unknown = [...resolved('火锅', { check: 3 }, 100).values()].filter(({ said }) => !said);
    expect(unknown.map(({ term, number }) => [term, number])).toEqual([['hotpot', -1]]);
  });
});
