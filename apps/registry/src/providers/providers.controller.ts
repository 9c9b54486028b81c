import { localized, negotiateLanguage, type Language } from '@capability-router/contracts';
import { AllowCallers, requireValid } from '@capability-router/service-kit';
import { Controller, Get, Headers, Inject, Query } from '@nestjs/common';
import { statsOf, type Stats } from '../tool-result/domain/stats.js';
import { KnownStatistics } from '../tool-result/known-statistics.js';
import { ProviderDirectory, type ListedProvider } from './domain/provider-directory.js';
import { selectProviders } from './domain/select-providers.js';
import { CategoriesQuery, ProvidersQuery } from './providers.request.js';

export interface ProviderItem {
  readonly provider_id: string;
  readonly name: string;
  readonly description: string;
  readonly website_url?: string;
  /** Slugs. */
  readonly categories: readonly string[];
  readonly tool_count: number;
  readonly region?: string;
  readonly stats: Stats;
}

export interface CategoryItem {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly tool_count: number;
  readonly provider_count: number;
}

@Controller('api/v1/providers')
export class ProvidersController {
  constructor(
    @Inject(ProviderDirectory) private readonly providers: ProviderDirectory,
    @Inject(KnownStatistics) private readonly statistics: KnownStatistics,
  ) {}

  /** Providers that have a published tool. `total` counts all that fit, not only the page. */
  @Get()
  @AllowCallers('gateway')
  list(
    @Query() raw: unknown,
    @Headers('accept-language') acceptLanguage: string | undefined,
  ): { total: number; items: ProviderItem[] } {
    const query = requireValid(ProvidersQuery, raw, { allowUnknown: true, location: 'query' });
    const { providers, statistics } = this;
    const language = negotiateLanguage(query.lang, acceptLanguage);
    const { skip, limit, sort_by: sortBy } = query;
    const selected = selectProviders(providers.providers(), {
      categories: query.categories ?? [],
      query: query.query ?? '',
      sortBy,
      order: query.sort_order ?? (sortBy === 'name' ? 'asc' : 'desc'),
      language,
      successRateOf: ({ definition }) => statistics.ofProvider(definition.providerId).successRate,
    });
    const page = selected.slice(skip, skip + limit);
    return { total: selected.length, items: page.map((provider) => this.toItem(provider, language)) };
  }

  @Get('categories')
  @AllowCallers('gateway')
  categories(
    @Query() raw: unknown,
    @Headers('accept-language') acceptLanguage: string | undefined,
  ): { items: CategoryItem[] } {
    const { lang } = requireValid(CategoriesQuery, raw, { allowUnknown: true, location: 'query' });
    const language = negotiateLanguage(lang, acceptLanguage);
    const items = this.providers.categories().map(({ definition, toolCount, providerCount }) => ({
      slug: definition.slug,
      name: localized(definition.name, language),
      description: localized(definition.description, language),
      tool_count: toolCount,
      provider_count: providerCount,
    }));
    return { items };
  }

  private toItem({ definition, toolCount, categories, region }: ListedProvider, language: Language): ProviderItem {
    return {
      provider_id: definition.providerId,
      name: localized(definition.name, language),
      description: localized(definition.description, language),
      ...(definition.websiteUrl === undefined ? {} : { website_url: definition.websiteUrl }),
      categories,
      tool_count: toolCount,
      ...(region === undefined ? {} : { region }),
      stats: statsOf(this.statistics.ofProvider(definition.providerId)),
    };
  }
}
