import type { CategoryDefinition, ProviderDefinition, ToolContract, ToolManifest } from '@capability-router/contracts';
import { isToolId } from '@capability-router/kernel';
import type { CatalogueSource } from './catalogue-source.js';

/** A manifest with what it refers to, before it has a version. */
export type ResolvedTool = Omit<ToolContract, 'version' | 'schemaHash'>;

/** Resolves every tool of a source. Throws, naming the tool, for a malformed or repeated id or a reference to nothing. */
export function resolveTools(source: CatalogueSource): ResolvedTool[] {
  const providers = new Map(source.providers.map((provider) => [provider.providerId, provider]));
  const categories = new Map(source.categories.map((category) => [category.slug, category]));
  const seen = new Set<string>();
  return source.tools.map((manifest) => {
    if (!isToolId(manifest.toolId)) throw new Error(`"${manifest.toolId}" is not a tool id`);
    if (seen.has(manifest.toolId)) throw new Error(`tool "${manifest.toolId}" is there twice`);
    seen.add(manifest.toolId);
    return resolveTool(manifest, providers, categories);
  });
}

function resolveTool(
  manifest: ToolManifest,
  providers: ReadonlyMap<string, ProviderDefinition>,
  categories: ReadonlyMap<string, CategoryDefinition>,
): ResolvedTool {
  const provider = providers.get(manifest.providerId);
  if (provider === undefined) {
    throw new Error(`tool "${manifest.toolId}" has an unknown provider "${manifest.providerId}"`);
  }
  const categoryDefinitions = manifest.categories.map((slug) => {
    const category = categories.get(slug);
    if (category === undefined) throw new Error(`tool "${manifest.toolId}" has an unknown category "${slug}"`);
    return category;
  });
  return { ...manifest, provider, categoryDefinitions };
}
