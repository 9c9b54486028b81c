import { ConfigError } from './load-env.js';

/**
 * The results of the loaders, by name. Every loader runs, so that an operator who made three mistakes in three places reads of
 * all of them at once.
 *
 * @throws ConfigError that names every variable at fault, of all loaders
 */
export function loadTogether<L extends Readonly<Record<string, () => unknown>>>(
  loaders: L,
): { readonly [K in keyof L]: ReturnType<L[K]> } {
  const problems: Record<string, string> = {};
  const loaded: Record<string, unknown> = {};
  for (const [name, load] of Object.entries(loaders)) {
    try {
      loaded[name] = load();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      Object.assign(problems, error.problems);
    }
  }
  if (Object.keys(problems).length > 0) throw new ConfigError(problems);
  return loaded as { readonly [K in keyof L]: ReturnType<L[K]> };
}
