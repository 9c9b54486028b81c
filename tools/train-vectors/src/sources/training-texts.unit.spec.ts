import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '../model/random.js';
import { trainingTexts } from './training-texts.js';

const operation = {
  api: 'Weather API',
  name: 'getForecast /forecast/{city} get',
  summary: 'Tells the weather of the next days in a city',
  description: 'Tells the <b>weather</b> of the coming days. See https://example.com for `more`.',
  parameters: 'city name of the city',
};
const synset = { words: 'rain_shower rain', gloss: 'water that falls from clouds in drops for a short time' };
const textsOf = (seed: number): string[] =>
  trainingTexts(Array(20).fill(operation), Array(40).fill(synset), seededRandom(seed)).map(({ text }) => text);

describe('the texts that the teacher is asked about', () => {
  const texts = textsOf(1);

  it('are summaries, names with descriptions, definitions and words, without markup and addresses', () => {
    expect(texts).toEqual(
      expect.arrayContaining([
        operation.summary,
        'getForecast. Tells the weather of the coming days. See for more .',
        synset.gloss,
        'rain shower rain',
      ]),
    );
  });

  it('are short spans, too, and single words that several texts say', () => {
    expect(
      texts.some((text) => operation.summary.includes(text) && text !== operation.summary && text.includes(' ')),
    ).toBe(true);
    expect(texts).toContain('weather');
  });

  it('come once each, with the terms that the engine reads, and are the same for one seed', () => {
    expect(new Set(texts.map((text) => text.toLowerCase())).size).toBe(texts.length);
    expect(textsOf(1)).toEqual(texts);
    expect(textsOf(2)).not.toEqual(texts);
    const [first] = trainingTexts([operation], [], seededRandom(1));
    expect(first?.terms).toContain('weather');
  });
});
