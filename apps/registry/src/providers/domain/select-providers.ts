import { localized, type Language } from '@capability-router/contracts';
import type { ListedProvider } from './provider-directory.js';

export const providerSorts = ['name', 'tools', 'success_rate'] as const;
export type ProviderSort = (typeof providerSorts)[number];
export const sortOrders = ['asc', 'desc'] as const;
export type SortOrder = (typeof sortOrders)[number];

export interface ProviderSelection {
  /** Slugs; a provider needs a tool in one of them. Empty: all. */
  readonly categories: readonly string[];
  /** Words that a provider's id, names and descriptions must all hold. */
  readonly query: string;
  readonly sortBy: ProviderSort;
  readonly order: SortOrder;
  readonly language: Language;
  /** 0 to 1; undefined where it is not known. */
  readonly successRateOf: (provider: ListedProvider) => number | undefined;
}

/** Those that fit, in order; equal ones by name and then by id, and what has no success rate last either way. */
export function selectProviders(providers: readonly ListedProvider[], selection: ProviderSelection): ListedProvider[] {
  const { sortBy, order, language, successRateOf } = selection;
  const collator = collators[language];
  const byName = (a: Ranked, b: Ranked): number => collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1);
  const direction = order === 'asc' ? 1 : -1;
  const compare = (a: Ranked, b: Ranked): number => {
    if (sortBy === 'name') return direction * byName(a, b);
    if (a.value === undefined || b.value === undefined) {
      return Number(a.value === undefined) - Number(b.value === undefined) || byName(a, b);
    }
    return direction * (a.value - b.value) || byName(a, b);
  };
  return providers
    .filter((provider) => fits(provider, selection))
    .map((provider) => ({
      provider,
      id: provider.definition.providerId,
      name: localized(provider.definition.name, language),
      value: sortBy === 'tools' ? provider.toolCount : sortBy === 'success_rate' ? successRateOf(provider) : undefined,
    }))
    .sort(compare)
    .map(({ provider }) => provider);
}

interface Ranked {
  readonly id: string;
  readonly name: string;
  readonly value: number | undefined;
}

const collators: Readonly<Record<Language, Intl.Collator>> = {
  en: new Intl.Collator('en', { sensitivity: 'base' }),
  zh: new Intl.Collator('zh', { sensitivity: 'base' }),
};

function fits(provider: ListedProvider, { categories, query }: ProviderSelection): boolean {
  if (categories.length > 0 && !categories.some((slug) => provider.categories.includes(slug))) return false;
  const words = folded(query).split(/\s+/u).filter(Boolean);
  if (words.length === 0) return true;
  const { providerId, name, description } = provider.definition;
  const text = folded([providerId, name.en, name.zh, description.en, description.zh].join('\n'));
  return words.every((word) => text.includes(word));
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();
