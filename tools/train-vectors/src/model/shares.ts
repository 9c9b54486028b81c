import type { Terms } from './vocabulary.js';

/** By term: the part of the texts that hold it, above 0 and at most 1. A text may come in parts. */
export function sharesOf(texts: readonly (readonly Terms[])[]): ReadonlyMap<string, number> {
  const holding = new Map<string, number>();
  for (const parts of texts) {
    for (const term of new Set(parts.flat())) holding.set(term, (holding.get(term) ?? 0) + 1);
  }
  return new Map([...holding].map(([term, count]) => [term, count / texts.length]));
}
