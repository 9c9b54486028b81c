import type { CategoryDefinition, ProviderDefinition, ToolContract } from '@capability-router/contracts';

export interface ListedProvider {
  readonly definition: ProviderDefinition;
  readonly toolCount: number;
  /** Slugs, those of most tools first. */
  readonly categories: readonly string[];
  /** Where its tools may be called; undefined where they differ. */
  readonly region?: string;
}

export interface ListedCategory {
  readonly definition: CategoryDefinition;
  readonly toolCount: number;
  readonly providerCount: number;
}

interface ProviderEntry {
  definition: ProviderDefinition;
  toolCount: number;
  readonly toolsByCategory: Map<string, number>;
  readonly toolsByRegion: Map<string, number>;
}

interface CategoryEntry {
  definition: CategoryDefinition;
  toolCount: number;
  readonly toolsByProvider: Map<string, number>;
}

const everywhere = 'global';

/** Providers and categories of the published tools, counted as tools come and go. The last contract names them. */
export class ProviderDirectory {
  private readonly entries = new Map<string, ProviderEntry>();
  private readonly categoryEntries = new Map<string, CategoryEntry>();

  /** A tool that comes has no `before`, one that goes no `after`. */
  replace(before: ToolContract | undefined, after: ToolContract | undefined): void {
    if (before !== undefined) this.count(before, -1);
    if (after !== undefined) this.count(after, 1);
  }

  providers(): ListedProvider[] {
    return [...this.entries.values()].map(({ definition, toolCount, toolsByCategory, toolsByRegion }) => {
      const [region] = toolsByRegion.size === 1 ? toolsByRegion.keys() : [];
      return {
        definition,
        toolCount,
        categories: [...toolsByCategory]
          .sort(([a, most], [b, more]) => more - most || (a < b ? -1 : 1))
          .map(([slug]) => slug),
        ...(region === undefined ? {} : { region }),
      };
    });
  }

  /** The categories with the most tools come first. */
  categories(): ListedCategory[] {
    return [...this.categoryEntries.values()]
      .map(({ definition, toolCount, toolsByProvider }) => ({
        definition,
        toolCount,
        providerCount: toolsByProvider.size,
      }))
      .sort((a, b) => b.toolCount - a.toolCount || (a.definition.slug < b.definition.slug ? -1 : 1));
  }

  private count(tool: ToolContract, change: 1 | -1): void {
    const { providerId, provider, categoryDefinitions, region = everywhere } = tool;
    const entry = this.entries.get(providerId) ?? {
      definition: provider,
      toolCount: 0,
      toolsByCategory: new Map<string, number>(),
      toolsByRegion: new Map<string, number>(),
    };
    entry.toolCount += change;
    if (change > 0) entry.definition = provider;
    add(entry.toolsByRegion, region, change);
    for (const category of categoryDefinitions) {
      add(entry.toolsByCategory, category.slug, change);
      this.countCategory(category, providerId, change);
    }
    if (entry.toolCount > 0) this.entries.set(providerId, entry);
    else this.entries.delete(providerId);
  }

  private countCategory(category: CategoryDefinition, providerId: string, change: 1 | -1): void {
    const entry = this.categoryEntries.get(category.slug) ?? {
      definition: category,
      toolCount: 0,
      toolsByProvider: new Map<string, number>(),
    };
    entry.toolCount += change;
    if (change > 0) entry.definition = category;
    add(entry.toolsByProvider, providerId, change);
    if (entry.toolCount > 0) this.categoryEntries.set(category.slug, entry);
    else this.categoryEntries.delete(category.slug);
  }
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
