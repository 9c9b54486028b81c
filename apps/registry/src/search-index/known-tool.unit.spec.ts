import { describe, expect, it } from '@jest/globals';
import type { ToolContract } from '@capability-router/contracts';
import { sampleTool } from '../test-support/sample-catalogue.js';
import { KnownTools } from './known-tool.js';

const category = (slug: string) => ({ slug, name: { en: slug }, description: { en: `About ${slug}.` } });
const toolOf = (name: string, over: Partial<ToolContract> = {}): ToolContract => ({
  ...sampleTool({ toolId: `geokit.distance.${name}.v1` }),
  version: 2,
  schemaHash: 'a'.repeat(64),
  provider: { providerId: 'geokit', name: { en: 'Geokit' }, description: { en: 'Geography.' } },
  categoryDefinitions: [category('maps')],
  ...over,
});

describe('what is kept of a tool', () => {
  it('shares its place with the tools of the same provider, region and categories', () => {
    const known = new KnownTools();
    const { place } = known.of(toolOf('one'));
    expect(place).toEqual({ providerId: 'geokit', region: undefined, categories: ['maps'] });
    expect(known.of(toolOf('two')).place).toBe(place);
    expect(known.of(toolOf('three', { region: 'US' })).place).toMatchObject({ region: 'US' });
    expect(known.of(toolOf('four', { categoryDefinitions: [] })).place).toMatchObject({ categories: [] });
  });

  it('names each capability once', () => {
    const capability = { id: 'geo.distance', tags: [] };
    const capabilities = [capability, capability, { ...capability, id: 'geo.area' }];
    expect(new KnownTools().of(toolOf('one', { capabilities })).capabilities).toEqual(['geo.distance', 'geo.area']);
  });

  it('lets examples run that leave the house only where its operator does, and those of the house unless not', () => {
    const runExamples = (allowed: boolean) => ({
      provider: { ...toolOf('one').provider, verification: { runExamples: allowed } },
    });
    const binding: ToolContract['binding'] = {
      kind: 'http',
      method: 'GET',
      url: 'https://example.com',
      placements: {},
      auth: { kind: 'none' },
    };
    const runs = [{}, runExamples(false), { binding }, { binding, ...runExamples(true) }].map(
      (over) => new KnownTools().of(toolOf('one', over)).runsExamples,
    );
    expect(runs).toEqual([true, false, false, true]);
  });
});
