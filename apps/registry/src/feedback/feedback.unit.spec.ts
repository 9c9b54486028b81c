import { describe, expect, it } from '@jest/globals';
import { topicNames, type EventEnvelope } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { indexVocabulary } from './index-vocabulary.js';
import { chargedUseOf } from './domain/charged-use.js';
import { feedbackTerms, MAX_TERMS_PER_USE, type FeedbackVocabulary } from './domain/feedback-terms.js';
import { daysKept, termWeight } from './domain/term-weight.js';

/** Every word is common but `zanzibarella`. */
const everyday: FeedbackVocabulary = {
  ...indexVocabulary({ documentFrequenciesOf: () => Promise.resolve([]) }),
  commonAmong: (terms: readonly string[]) =>
    Promise.resolve(new Set(terms.filter((term) => !term.startsWith('zanzibar')))),
};
const wordsOf = async (query: string, vocabulary = everyday): Promise<string[]> =>
  (await feedbackTerms(query, vocabulary)).map(({ word }) => word);

describe('terms of a query', () => {
  it.each([
    ['an e-mail address', 'send mail to Jane.Doe+x@example.org today', ['send', 'mail', 'today']],
    ['an e-mail address beside Chinese', '发送邮件给jane@example.org', ['发送', '送邮', '邮件', '件给']],
    ['numbers and what is written with them', 'invoice AB-1234 of 2024 for room 7b', ['invoice', 'room']],
    ['digits of other scripts', 'price ４２ ٣٤ bitcoin', ['price', 'bitcoin']],
    ['addresses of the web', 'scrape https://shop.example.com/a/secret?token=x page', ['scrape', 'page']],
    ['host names and dotted names', 'status of db.internal.corp today', ['status', 'today']],
    ['names of people in a network', 'posts of @janedoe about #project_x weather', ['posts', 'weather']],
    ['rare words', 'weather in Zanzibarella', ['weather']],
  ])('hold nothing of %s', async (_what, query, expected) => {
    expect(await wordsOf(query)).toEqual(expected);
  });

  it('are each there once, by what the index takes for the same word, and are bounded', async () => {
    expect(await wordsOf('Forecast forecasts FORECAST')).toEqual(['forecast']);
    const letters = 'abcdefghij';
    const many = [...letters].flatMap((a) => [...letters].map((b) => `q${a}${b}x`)).join(' ');
    expect(await wordsOf(many)).toHaveLength(MAX_TERMS_PER_USE);
    expect(await wordsOf('x'.repeat(50))).toEqual([]);
  });

  it('are common when several tools hold them or the word vectors know them', async () => {
    const held: Readonly<Record<string, number>> = { qwxzot: 2, zxcvbnm: 1 };
    const catalogue = {
      documentFrequenciesOf: (terms: readonly string[]) => Promise.resolve(terms.map((term) => held[term] ?? 0)),
    };
    expect(await wordsOf('qwxzot zxcvbnm weather', indexVocabulary(catalogue))).toEqual(['qwxzot', 'weather']);
  });
});

describe('a charged use', () => {
  const settled = (over: JsonObject = {}, type = 'UsageSettled'): EventEnvelope => ({
    id: '00000000-0000-7000-8000-000000000000',
    type,
    source: 'billing',
    subject: 'settlements:acc_1',
    sequence: 1,
    time: '2026-03-10T12:00:00.000Z',
    topic: topicNames.usageSettlements,
    partitionKey: 'acc_1',
    data: {
      accountId: 'acc_1',
      accountKind: 'formal',
      toolId: 'a.b.c.v1',
      searchId: `srch_${'0'.repeat(32)}`,
      status: 'settled',
      settledMicroCredits: '1',
      effectiveAt: '2026-03-10T12:00:00.000Z',
      ...over,
    },
  });

  it('is a settled charge of a formal account that names its search', () => {
    expect(chargedUseOf(settled())).toMatchObject({ accountId: 'acc_1', toolId: 'a.b.c.v1' });
  });

  it.each([
    ['a trial account', settled({ accountKind: 'trial' })],
    ['an account of unknown kind', settled({ accountKind: null })],
    ['a free call', settled({ settledMicroCredits: '0' })],
    ['an included call', settled({ status: 'not_applicable' })],
    ['an uncollected charge', settled({ status: 'uncollected' })],
    ['no search', settled({ searchId: 'mine' })],
    ['another event', settled({}, 'UsageRefunded')],
  ])('is not: %s', (_what, event) => {
    expect(chargedUseOf(event)).toBeUndefined();
  });
});

describe('the weight of a term', () => {
  it('is its uses, coarsely, and bounded', () => {
    for (const uses of [1, 5, 12, 80, 900]) {
      expect(Math.abs(termWeight(uses) - uses) / (1 + uses)).toBeLessThan(2 ** (1 / 16) - 1 + 0.01);
    }
    expect(termWeight(0)).toBe(0);
    expect(termWeight(1e9)).toBe(termWeight(1_000));
  });

  it('stays the same where a day or one use of many makes no difference', () => {
    expect(termWeight(101)).toBe(termWeight(100));
    expect(termWeight(20 * 0.5 ** (1 / 30))).toBe(termWeight(20));
  });

  it('is next to nothing when a use is removed', () => {
    const policy = { enabled: true, halfLifeDays: 30 };
    expect(daysKept(policy)).toBe(180);
    expect(termWeight(5 * 0.5 ** (daysKept(policy) / policy.halfLifeDays))).toBeLessThan(0.1);
  });
});
