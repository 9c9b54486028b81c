import { describe, expect, it } from '@jest/globals';
import type { ToolContract } from '@capability-router/contracts';
import { resolveTools } from '../catalogue/domain/resolve-tool.js';
import { KnownTools } from '../search-index/known-tool.js';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';
import { ProviderDirectory, type ListedProvider } from './domain/provider-directory.js';
import { selectProviders, type ProviderSelection } from './domain/select-providers.js';

const category = (slug: string) => ({ slug, name: { en: slug }, description: { en: `About ${slug}.` } });
const provider = (providerId: string, name = providerId) => ({
  providerId,
  name: { en: name, zh: `${name}中` },
  description: { en: `Tools of ${name}.` },
});

const tool = (providerId: string, name: string, over: Partial<ToolContract> = {}): ToolContract => {
  const categories = over.categories ?? ['geography'];
  const manifest = sampleTool({ ...over, toolId: `${providerId}.thing.${name}.v1`, providerId, categories });
  const [resolved] = resolveTools(
    sampleSource({
      providers: [over.provider ?? provider(providerId)],
      categories: categories.map(category),
      tools: [manifest],
    }),
  );
  if (resolved === undefined) throw new Error('the sample has a tool');
  return { ...resolved, version: 1, schemaHash: '0'.repeat(64) };
};

const placeOf = (of: ToolContract) => new KnownTools().of(of).place;
const directoryOf = (...tools: readonly ToolContract[]): ProviderDirectory => {
  const directory = new ProviderDirectory();
  for (const each of tools) directory.replace(undefined, each);
  return directory;
};

describe('directory of providers', () => {
  it('counts tools by provider and by category', () => {
    const directory = directoryOf(
      tool('alpha', 'one', { categories: ['maps', 'geography'] }),
      tool('alpha', 'two'),
      tool('beta', 'one'),
    );
    expect(directory.providers()).toMatchObject([
      { definition: { providerId: 'alpha' }, toolCount: 2, categories: ['geography', 'maps'], region: 'global' },
      { definition: { providerId: 'beta' }, toolCount: 1, categories: ['geography'] },
    ]);
    expect(directory.categories()).toMatchObject([
      { definition: { slug: 'geography' }, toolCount: 3, providerCount: 2 },
      { definition: { slug: 'maps' }, toolCount: 1, providerCount: 1 },
    ]);
  });

  it('follows a tool that changes and one that goes, and forgets who has none left', () => {
    const before = tool('alpha', 'one', { categories: ['maps'] });
    const directory = directoryOf(before, tool('beta', 'one'));
    const after = tool('alpha', 'one', { categories: ['weather'], provider: provider('alpha', 'Alpha Labs') });
    directory.replace(placeOf(before), after);
    expect(directory.providers()).toMatchObject([
      { definition: { providerId: 'beta' } },
      { definition: { name: { en: 'Alpha Labs' } }, toolCount: 1, categories: ['weather'] },
    ]);
    directory.replace(placeOf(after), undefined);
    expect(directory.providers()).toMatchObject([{ definition: { providerId: 'beta' } }]);
    expect(directory.categories().map(({ definition }) => definition.slug)).toEqual(['geography']);
  });

  it('names a region only where all tools of a provider have the same', () => {
    const directory = directoryOf(tool('alpha', 'one', { region: 'US' }), tool('alpha', 'two'));
    expect(directory.providers()[0]).not.toHaveProperty('region');
  });
});

describe('selection of providers', () => {
  const listed = (providerId: string, toolCount: number, over: Partial<ListedProvider> = {}): ListedProvider => ({
    definition: provider(providerId),
    toolCount,
    categories: [],
    ...over,
  });
  const all = [
    listed('beta', 3, { categories: ['maps'] }),
    listed('alpha', 1, { categories: ['maps', 'weather'] }),
    listed('gamma', 3, { definition: provider('gamma', 'Ångström Tools') }),
  ];
  const rates: Readonly<Record<string, number>> = { alpha: 0.9, gamma: 0.99 };
  const select = (over: Partial<ProviderSelection> = {}): string[] =>
    selectProviders(all, {
      categories: [],
      query: '',
      sortBy: 'name',
      order: 'asc',
      language: 'en',
      successRateOf: ({ definition }) => rates[definition.providerId],
      ...over,
    }).map(({ definition }) => definition.providerId);

  it('orders by name as people do, in both directions', () => {
    expect(select()).toEqual(['alpha', 'gamma', 'beta']);
    expect(select({ order: 'desc' })).toEqual(['beta', 'gamma', 'alpha']);
  });

  it('orders by tools, equal ones by name', () => {
    expect(select({ sortBy: 'tools', order: 'desc' })).toEqual(['gamma', 'beta', 'alpha']);
  });

  it.each([
    ['asc', ['alpha', 'gamma', 'beta']],
    ['desc', ['gamma', 'alpha', 'beta']],
  ] as const)('orders by success rate %s, with the unknown last', (order, expected) => {
    expect(select({ sortBy: 'success_rate', order })).toEqual(expected);
  });

  it('takes those with a tool in any of the categories', () => {
    expect(select({ categories: ['weather', 'none'] })).toEqual(['alpha']);
    expect(select({ categories: ['none'] })).toEqual([]);
  });

  it('takes those that hold every word, in either language and any case', () => {
    expect(select({ query: ' TOOLS  ångström ' })).toEqual(['gamma']);
    expect(select({ query: 'alpha中' })).toEqual(['alpha']);
    expect(select({ query: 'tools nobody' })).toEqual([]);
  });
});
