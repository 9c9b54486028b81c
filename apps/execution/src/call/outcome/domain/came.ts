import { isUncertain } from './classify-outcome.js';
import type { AttemptResult } from './ran.js';

/** The result of an attempt, as far as the next one is concerned. */
export type Came =
  | 'served'
  /** Its provider is known to have done nothing of what it was asked for. */
  | 'failed'
  /** Its provider may have done it, and its result does not serve. */
  | 'uncertain'
  | 'not_sent'
  /** Something went wrong on our side. */
  | 'broken';

export function cameOf(result: AttemptResult): Came {
  if ('thrown' in result) return 'broken';
  if ('refused' in result) return 'not_sent';
  const { classified, fromCache, sent } = result.obtained;
  if (classified.success) return 'served';
  if (sent === false) return 'not_sent';
  return !fromCache && isUncertain(classified) ? 'uncertain' : 'failed';
}
