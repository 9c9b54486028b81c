import type { CategoryDefinition, ProviderDefinition } from '@capability-router/contracts';
import type pg from 'pg';
import { findDefinitions, saveDefinitions, type StoredDefinition } from './definitions.sql.js';
import { BUILTIN_SOURCE } from './domain/catalogue-source.js';
import { hashOf } from './hash-tool.js';

export type DefinitionOutcome =
  | { readonly id: string; readonly result: 'created' | 'changed' | 'unchanged'; readonly hash: string }
  | { readonly id: string; readonly result: 'refused'; readonly message: string; readonly owner: string };

export interface DefinitionOutcomes {
  readonly providers: readonly DefinitionOutcome[];
  readonly categories: readonly DefinitionOutcome[];
}

/** Whoever may not change it learns what they can do in its place. */
export const insteadOf = (kind: 'provider' | 'category', owner: string): string =>
  owner === BUILTIN_SOURCE
    ? `Give your own ${kind} another id; a tool that is built in is taken away with POST /admin/v1/tools/{tool_id}:retire.`
    : `Change it where it comes from, or give your own ${kind} another id.`;

const refusalOf = (kind: 'provider' | 'category', id: string, owner: string): string =>
  owner === BUILTIN_SOURCE
    ? `The ${kind} "${id}" is built in: it changes with the build alone`
    : `The ${kind} "${id}" belongs to the source "${owner}"`;

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
        return { id, result: 'refused', message: refusalOf(kind, id, before.source), owner: before.source };
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
