import { describe, expect, it } from '@jest/globals';
import { sampleDocument } from '../test-support/sample-document.js';
import { ToolIndex } from '../tool-index.js';
import { breakNearTies, qualityScore } from './near-ties.js';

const weather = (toolId: string, quality: object, name = 'weather forecast') =>
  sampleDocument(toolId, { name: [name], quality });

describe('quality', () => {
  it('decides between tools that score the same: success, then speed, then price', () => {
    const index = new ToolIndex([
      weather('a.fails.v1', { successRate: 0.5, averageMs: 100 }),
      weather('b.slow.v1', { successRate: 0.99, averageMs: 9_000 }),
      weather('c.dear.v1', { successRate: 0.99, averageMs: 100, priceMicroCredits: 9_000_000 }),
      weather('d.good.v1', { successRate: 0.99, averageMs: 100, priceMicroCredits: 1_000 }),
    ]);
    expect(index.search('weather', { limit: 4 }).map(({ toolId }) => toolId)).toEqual([
      'd.good.v1',
      'c.dear.v1',
      'b.slow.v1',
      'a.fails.v1',
    ]);
  });

  it('never lifts a tool over one that fits better', () => {
    const index = new ToolIndex([
      weather('a.fits.v1', { successRate: 0.1, averageMs: 90_000 }),
      weather('b.other.v1', { successRate: 1, averageMs: 1 }, 'weather archive of past decades'),
    ]);
    expect(index.search('weather forecast', { limit: 2 })[0]?.toolId).toBe('a.fits.v1');
  });

  it('compares within 2 % of the best of a group, and not in a chain', () => {
    const hits = [100, 98.5, 97, 50].map((score, quality) => ({ score, quality }));
    expect(breakNearTies(hits).map(({ score }) => score)).toEqual([98.5, 100, 97, 50]);
  });

  it('of a tool that was never measured lies between good and bad', () => {
    const unknown = qualityScore({});
    expect(unknown).toBeLessThan(qualityScore({ successRate: 0.99, averageMs: 100 }));
    expect(unknown).toBeGreaterThan(qualityScore({ successRate: 0.5, averageMs: 100 }));
  });
});

describe('feedback', () => {
  const plain = [
    sampleDocument('a.rain.v1', { name: ['precipitation'], description: ['Millimetres of rain by hour.'] }),
    sampleDocument('b.umbrella.v1', { name: ['umbrella shop'], description: ['Sells umbrellas.'] }),
  ];
  const learned = (weight: number) => [
    { ...plain[0], feedback: [{ term: 'umbrella', weight }] } as (typeof plain)[number],
    ...plain.slice(1),
  ];

  it('finds a tool by words that only its users say', () => {
    expect(new ToolIndex(plain).search('umbrella', { limit: 5 }).map(({ toolId }) => toolId)).toEqual([
      'b.umbrella.v1',
    ]);
    const hits = new ToolIndex(learned(5)).search('umbrella', { limit: 5 });
    expect(hits.map(({ toolId }) => toolId)).toEqual(['b.umbrella.v1', 'a.rain.v1']);
    expect(hits[1]?.matches).toEqual([{ word: 'umbrella', fields: ['feedback'] }]);
  });

  it('counts little however much there is of it: it cannot take a word from the tool that says it', () => {
    const hits = new ToolIndex(learned(1e12)).search('umbrella', { limit: 5 });
    expect(hits[0]?.toolId).toBe('b.umbrella.v1');
    const [many, few] = [1e12, 15].map((weight) => new ToolIndex(learned(weight)).search('umbrella', { limit: 5 }));
    expect(many).toEqual(few);
  });

  it('at its most counts less than half of one word in a long description', () => {
    const [rain] = learned(1e12);
    const shop = sampleDocument('b.shop.v1', {
      name: ['rain gear'],
      description: ['Sells umbrellas, hats and coats of all sizes for every weather.'],
    });
    const hits = new ToolIndex(rain === undefined ? [] : [rain, shop]).search('umbrella', { limit: 5 });
    expect(hits.map(({ toolId }) => toolId)).toEqual(['b.shop.v1', 'a.rain.v1']);
    const [said = 0, learnt = 0] = hits.map(({ score }) => score);
    expect(learnt).toBeLessThan(said / 2);
  });
});
