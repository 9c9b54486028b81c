import { builtinProviders, builtinTools } from '@capability-router/builtin-tools';
import type { SearchDocument } from '../document.js';

const texts = ({ en, zh }: { readonly en: string; readonly zh?: string }): string[] =>
  zh === undefined ? [en] : [en, zh];
const providerNames = new Map(builtinProviders.map(({ providerId, name }) => [providerId, texts(name)]));

/** The tools that come with the product, as documents: English text first, then Chinese. */
export const builtinCatalogue: readonly SearchDocument[] = builtinTools.map((tool) => ({
  toolId: tool.toolId,
  name: texts(tool.name),
  description: texts(tool.description),
  provider: [tool.providerId, ...(providerNames.get(tool.providerId) ?? [])],
  category: [...tool.categories, ...tool.capabilities.flatMap(({ id, tags }) => [id, ...tags])],
  params: Object.values(tool.parameterDescriptionsZh ?? {}),
}));
