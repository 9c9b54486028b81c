import { describe, expect, it } from '@jest/globals';
import { modelQuestion, questionPolicy } from './model-question.js';

const config = { share: 0.5, minCosine: 0.3 };
const english: Readonly<Record<string, string>> = { 天气: 'weather', '天气 погода': 'weather погода' };
const ask = (query: string, more: { readonly scripts?: readonly string[]; readonly glossedShare?: number }) =>
  modelQuestion(query, questionPolicy({ ...config, ...more }, 0.25), (text) => english[text] ?? '');

describe('the question to a model', () => {
  it('is the query, where the model reads it', () => {
    const policy = { share: 0.5, minCosine: 0.3, minFit: 0.25 };
    expect(ask('weather', { scripts: ['Latin'] })).toEqual({ text: 'weather', policy });
    expect(ask('天气', {})).toEqual({ text: '天气', policy });
  });

  it('is the words of the dictionary for a Chinese query, where the model is given a share for it', () => {
    const glossed = { scripts: ['Latin'], glossedShare: 0.35 };
    expect(ask('天气', glossed)).toMatchObject({ text: 'weather', policy: { share: 0.35, minCosine: 0.3 } });
    expect(ask('天气', { scripts: ['Latin'] })).toBeUndefined();
  });

  it('is none where nothing is left that the model reads', () => {
    const glossed = { scripts: ['Latin'], glossedShare: 0.35 };
    expect(ask('鑫', glossed)).toBeUndefined();
    expect(ask('天气 погода', glossed)).toBeUndefined();
  });
});
