import { admittedShare, concerns } from './breaker.js';
import { fadedAt, type Counted, type FadedEvidence } from './evidence.js';

/** The evidence about one tool. */
export interface ToolEvidence extends FadedEvidence {
  /** Share of the account's requests that may reach it, 0 to 1: the lesser of its own and its provider's. */
  readonly admittedShare: number;
  /** Has its breaker, or its provider's, been open, and is not closed yet? */
  readonly isTakenBack: boolean;
}

/** Gives the evidence that a decision for the account at `nowMs` rests on, from the counts of a tool and of all tools of its provider. */
export function toolEvidenceAt(tool: Counted, provider: Counted, nowMs: number, accountId: string): ToolEvidence {
  const breakers = [tool.breaker, provider.breaker];
  return {
    ...fadedAt(tool, nowMs),
    admittedShare: Math.min(...breakers.map((breaker) => admittedShare(breaker, nowMs, accountId))),
    isTakenBack: breakers.some((breaker) => concerns(breaker, accountId)),
  };
}
