import type { CategoryDefinition, ProviderDefinition } from '@capability-router/contracts';
import type pg from 'pg';
import { findDefinitions, saveDefinitions, type StoredDefinition } from './definitions.sql.js';
import { hashOf } from './hash-tool.js';

export type DefinitionOutcome =
  | { readonly id: string; readonly result: 'created' | 'changed' | 'unchanged'; readonly hash: string }
  | { readonly id: string; readonly result: 'refused'; readonly message: string };

export interface DefinitionOutcomes {
  readonly providers: readonly DefinitionOutcome[];
  readonly categories: readonly DefinitionOutcome[];
}

/** Saves what is new or changed, in the caller's transaction. What another source owns is refused and stays. */
export async function saveChangedDefinitions(
  tx: pg.PoolClient,
  source: string,
  definitions: {
    readonly providers: readonly ProviderDefinition[];
    readonly categories: readonly CategoryDefinition[];
  },
  now: string,
  write: boolean,
): Promise<DefinitionOutcomes> {
  const providers = new Map(definitions.providers.map((provider) => [provider.providerId, provider]));
  const categories = new Map(definitions.categories.map((category) => [category.slug, category]));
  const save = async (kind: 'provider' | 'category', wanted: ReadonlyMap<string, object>) => {
    const known = await findDefinitions(tx, kind, [...wanted.keys()]);
    const changed = new Map<string, StoredDefinition<object>>();
    const outcomes = [...wanted].map(([id, definition]): DefinitionOutcome => {
      const before = known.get(id);
      if (before !== undefined && before.source !== source) {
        return { id, result: 'refused', message: `The ${kind} "${id}" belongs to the source "${before.source}"` };
      }
      const hash = hashOf(definition);
      if (before?.hash === hash) return { id, result: 'unchanged', hash };
      changed.set(id, { source, definition, hash });
      return { id, result: before === undefined ? 'created' : 'changed', hash };
    });
    if (write) await saveDefinitions(tx, kind, changed, now);
    return outcomes;
  };
  return { providers: await save('provider', providers), categories: await save('category', categories) };
}
