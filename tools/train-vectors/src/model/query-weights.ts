/** A query and the texts of the tools that serve it, as terms. */
export interface JudgedQuery {
  /** Queries of one origin count together: what only one origin says is believed less. */
  readonly origin: string;
  readonly terms: ReadonlySet<string>;
  readonly relevant: readonly ReadonlySet<string>[];
}

/** Queries of one origin that count in full for a term; more of them count together as this many. */
const MAX_QUERIES_OF_ORIGIN = 50;
/** Before any evidence a term is as if it had been seen in this many queries, this part of them with the word in the tool. */
const PRIOR_QUERIES = 10;
const PRIOR_CHANCE = 0.3;
/** A chance of 0 or 1 is never believed. */
const CHANCE_BOUNDS = [0.003, 0.97] as const;
/** Origins in which a term has to be said: what only few say is their subject, and no habit of those who ask. */
export const MIN_ORIGINS = 4;
const WEIGHT_BOUNDS = [0.1, 1.5] as const;

const logit = (chance: number): number => Math.log(chance / (1 - chance));
const within = (value: number, [least, most]: readonly [number, number]): number =>
  Math.min(most, Math.max(least, value));

/**
 * What a term tells when it stands in a query, as a factor of its inverse document frequency: the weight of Robertson
 * and Spärck Jones with relevance information, ln(p (1 − q) / (q (1 − p))), over the one without, where p is the chance
 * that the right tool's text holds the term and q that any tool's does. "Would" and "assist" are rare among tools and
 * yet tell nothing, because the right tool does not say them. Terms of fewer than `MIN_ORIGINS` are absent: their factor is 1.
 */
export function queryWeights(
  queries: readonly JudgedQuery[],
  documents: readonly ReadonlySet<string>[],
): Map<string, number> {
  const documentFrequencies = new Map<string, number>();
  for (const document of documents) {
    for (const term of document) documentFrequencies.set(term, (documentFrequencies.get(term) ?? 0) + 1);
  }
  const weights = new Map<string, number>();
  for (const [term, { origins, seen, held }] of evidence(queries)) {
    if (origins < MIN_ORIGINS) continue;
    const frequency = documentFrequencies.get(term) ?? 0;
    const inverse = Math.log(1 + (documents.length - frequency + 0.5) / (frequency + 0.5));
    const chance = within((held + PRIOR_QUERIES * PRIOR_CHANCE) / (seen + PRIOR_QUERIES), CHANCE_BOUNDS);
    weights.set(term, within((inverse + logit(chance) - logit(PRIOR_CHANCE)) / inverse, WEIGHT_BOUNDS));
  }
  return weights;
}

interface Evidence {
  origins: number;
  seen: number;
  held: number;
}

function evidence(queries: readonly JudgedQuery[]): Map<string, Evidence> {
  const byOrigin = new Map<string, Map<string, Evidence>>();
  for (const { origin, terms, relevant } of queries) {
    if (relevant.length === 0) continue;
    const counts = entryOf(byOrigin, origin, () => new Map<string, Evidence>());
    for (const term of terms) {
      const count = entryOf(counts, term, () => ({ origins: 0, seen: 0, held: 0 }));
      count.seen += 1;
      count.held += relevant.filter((document) => document.has(term)).length / relevant.length;
    }
  }
  const totals = new Map<string, Evidence>();
  for (const counts of byOrigin.values()) {
    for (const [term, { seen, held }] of counts) {
      const share = Math.min(1, MAX_QUERIES_OF_ORIGIN / seen);
      const total = entryOf(totals, term, () => ({ origins: 0, seen: 0, held: 0 }));
      total.origins += 1;
      total.seen += share * seen;
      total.held += share * held;
    }
  }
  return totals;
}

function entryOf<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = create()));
  return value;
}
