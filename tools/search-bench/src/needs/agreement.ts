import type { Judgement } from './needs-data.js';

export interface Agreement {
  /** Candidates that both readings judged. */
  readonly judged: number;
  /** Cohen's kappa: agreement beyond that of chance; 1 where both always said the same. */
  readonly kappa: number;
  /** The share of what one reading calls relevant that the other does too (Dice). */
  readonly positive: number;
}

/** How far two readings agree on the same pools. */
export function agreementOf(judgements: readonly Judgement[]): Agreement {
  let both = 0;
  let first = 0;
  let second = 0;
  let judged = 0;
  for (const row of judgements) {
    const [one, other] = [new Set(row.first), new Set(row.second)];
    judged += row.pool.length;
    first += one.size;
    second += other.size;
    both += row.first.filter((toolId) => other.has(toolId)).length;
  }
  const neither = judged - first - second + both;
  const observed = (both + neither) / judged;
  const byChance = (first * second + (judged - first) * (judged - second)) / judged ** 2;
  return {
    judged,
    kappa: byChance === 1 ? 1 : (observed - byChance) / (1 - byChance),
    positive: first + second === 0 ? 1 : (2 * both) / (first + second),
  };
}
