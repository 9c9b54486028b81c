import { builtinCategories, builtinProviders, builtinTools } from '@capability-router/builtin-tools';
import { BUILTIN_SOURCE, type CatalogueSource } from './catalogue/domain/catalogue-source.js';

/** The catalogue that every deployment publishes: the tools that work offline. */
export const builtinSource: CatalogueSource = {
  name: BUILTIN_SOURCE,
  providers: builtinProviders,
  categories: builtinCategories,
  tools: builtinTools,
};
