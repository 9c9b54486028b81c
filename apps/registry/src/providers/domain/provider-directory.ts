import type { CategoryDefinition, ProviderDefinition, ToolContract } from '@capability-router/contracts';
import type { ToolPlace } from '../../search-index/domain/tool-place.js';

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
  replace(before: ToolPlace | undefined, after: ToolContract | undefined): void {
    if (before !== undefined) this.leave(before);
    if (after !== undefined) this.join(after);
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

  private join({ providerId, provider, categoryDefinitions, region = everywhere }: ToolContract): void {
    const entry = this.entries.get(providerId) ?? {
      definition: provider,
      toolCount: 0,
      toolsByCategory: new Map<string, number>(),
      toolsByRegion: new Map<string, number>(),
    };
    entry.toolCount += 1;
    entry.definition = provider;
    add(entry.toolsByRegion, region, 1);
    for (const category of categoryDefinitions) {
      add(entry.toolsByCategory, category.slug, 1);
      this.joinCategory(category, providerId);
    }
    this.entries.set(providerId, entry);
  }

  private joinCategory(category: CategoryDefinition, providerId: string): void {
    const entry = this.categoryEntries.get(category.slug) ?? {
      definition: category,
      toolCount: 0,
      toolsByProvider: new Map<string, number>(),
    };
    entry.toolCount += 1;
    entry.definition = category;
    add(entry.toolsByProvider, providerId, 1);
    this.categoryEntries.set(category.slug, entry);
  }

  private leave({ providerId, categories, region = everywhere }: ToolPlace): void {
    const entry = this.entries.get(providerId);
    if (entry === undefined) return;
    entry.toolCount -= 1;
    add(entry.toolsByRegion, region, -1);
    for (const slug of categories) {
      add(entry.toolsByCategory, slug, -1);
      this.leaveCategory(slug, providerId);
    }
    if (entry.toolCount === 0) this.entries.delete(providerId);
  }

  private leaveCategory(slug: string, providerId: string): void {
    const entry = this.categoryEntries.get(slug);
    if (entry === undefined) return;
    entry.toolCount -= 1;
    add(entry.toolsByProvider, providerId, -1);
    if (entry.toolCount === 0) this.categoryEntries.delete(slug);
  }
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
