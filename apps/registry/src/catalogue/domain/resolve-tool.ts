import type { CategoryDefinition, ProviderDefinition, ToolContract, ToolManifest } from '@capability-router/contracts';
import { fail, isToolId, ok, type Result } from '@capability-router/kernel';
import type { CatalogueSource } from './catalogue-source.js';

/** A manifest with what it refers to, before it has a version. */
export type ResolvedTool = Omit<ToolContract, 'version' | 'schemaHash'>;

/** The member of the manifest that refers to nothing, and a sentence about it. */
export interface UnresolvedReference {
  readonly field: 'provider_id' | 'categories';
  readonly message: string;
}

/** Resolves every tool of a source. Throws, naming the tool, for a malformed or repeated id or a reference to nothing. */
export function resolveTools(source: CatalogueSource): ResolvedTool[] {
  const providers = new Map(source.providers.map((provider) => [provider.providerId, provider]));
  const categories = new Map(source.categories.map((category) => [category.slug, category]));
  const seen = new Set<string>();
  return source.tools.map((manifest) => {
    if (!isToolId(manifest.toolId)) throw new Error(`"${manifest.toolId}" is not a tool id`);
    if (seen.has(manifest.toolId)) throw new Error(`tool "${manifest.toolId}" is there twice`);
    seen.add(manifest.toolId);
    const resolved = resolveTool(manifest, providers, categories);
    if (!resolved.ok) throw new Error(`tool "${manifest.toolId}" has an ${resolved.error.message}`);
    return resolved.value;
  });
}

export function resolveTool(
  manifest: ToolManifest,
  providers: ReadonlyMap<string, ProviderDefinition>,
  categories: ReadonlyMap<string, CategoryDefinition>,
): Result<ResolvedTool, UnresolvedReference> {
  const provider = providers.get(manifest.providerId);
  if (provider === undefined) {
    return fail({ field: 'provider_id', message: `unknown provider "${manifest.providerId}"` });
  }
  const categoryDefinitions: CategoryDefinition[] = [];
  for (const slug of manifest.categories) {
    const category = categories.get(slug);
    if (category === undefined) return fail({ field: 'categories', message: `unknown category "${slug}"` });
    categoryDefinitions.push(category);
  }
  return ok({ ...manifest, provider, categoryDefinitions });
}

/** The manifest of a published contract, as its provider wrote it. */
export function manifestOf(contract: ToolContract | ResolvedTool): ToolManifest {
  const { provider: _provider, categoryDefinitions: _categories, ...rest } = contract;
  if (!('version' in rest)) return rest;
  const { version: _version, schemaHash: _schemaHash, ...manifest } = rest;
  return manifest;
}
