import { formatCredits, type Credits } from '@capability-router/kernel';
import type { PriceRule } from '@capability-router/contracts';

/** `1 row`, `2 rows`, `3 queries`. */
export const counted = (count: number, label: string): string => `${count} ${count === 1 ? label : plural(label)}`;

/** English nouns by rule; what a tool declares is a regular one. */
export function plural(label: string): string {
  if (/[^aeiou]y$/.test(label)) return `${label.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(label) ? `${label}es` : `${label}s`;
}

/** `0.5 credits per token`, `0.5 credits per 1000 tokens`. */
export function pricePerUnit(price: Credits, { perUnits = 1, unitLabel }: PriceRule): string {
  return `${formatCredits(price)} credits per ${perUnits === 1 ? unitLabel : counted(perUnits, unitLabel)}`;
}

/** `× 0.5 credits`, `× 0.5 credits per 1000`. */
export function timesPrice(price: Credits, { perUnits = 1 }: PriceRule): string {
  return `× ${formatCredits(price)} credits${perUnits === 1 ? '' : ` per ${perUnits}`}`;
}
