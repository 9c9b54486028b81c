import type { CategoryDefinition, ProviderDefinition, ToolManifest } from '@capability-router/contracts';

/** The source of whatever comes with the build. */
export const BUILTIN_SOURCE = 'builtin';
/** The source of everything that administrators write by hand. */
export const MANIFEST_SOURCE = 'manifest';

/** Everything that one origin publishes. What it does not name any more is retired. */
export interface CatalogueSource {
  /** Stable name of the origin, e.g. `builtin`. */
  readonly name: string;
  readonly providers: readonly ProviderDefinition[];
  readonly categories: readonly CategoryDefinition[];
  readonly tools: readonly ToolManifest[];
}
