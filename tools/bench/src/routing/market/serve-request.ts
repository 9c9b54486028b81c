import { MARKET_ACCOUNT } from './learned-evidence.js';
import type { AttemptSample } from '@capability-router/capability-routing/evidence';
import { attemptOf, type Provider } from './market.js';
import type { Situation, Strategy } from './strategies.js';

/** The end of one request. */
export interface Served {
  /** Milliseconds, of all its attempts. */
  readonly ms: number;
  /** Credits of the attempt that served; undefined where none did. */
  readonly credits: number | undefined;
  /** The providers that were tried, in order; the last one served, if any did. */
  readonly tried: readonly { readonly provider: Provider; readonly ms: number }[];
}

/**
 * Tries the providers in the order of the strategy, at most so many, until one serves, and adds each attempt to what is learned.
 * `luck`: how a call of each provider goes, by its place.
 */
export function serveRequest(
  strategy: Strategy,
  situation: Situation,
  luck: readonly number[],
  maxAttempts: number,
): Served {
  const { providers, evidence, nowMs, request } = situation;
  const tried: { provider: Provider; ms: number }[] = [];
  let ms = 0;
  for (const provider of strategy(situation).slice(0, maxAttempts)) {
    const at = providers.indexOf(provider);
    const attempt = attemptOf(provider, luck[at] ?? 0);
    ms += attempt.ms;
    tried.push({ provider, ms: attempt.ms });
    evidence[at]?.add(sampleOf(provider, attempt, `exec_${request}`, nowMs + ms));
    if (attempt.served) return { ms, credits: provider.credits, tried };
  }
  return { ms, credits: undefined, tried };
}

const sampleOf = (
  { toolId }: Provider,
  { served, ms }: { readonly served: boolean; readonly ms: number },
  executionId: string,
  atMs: number,
): AttemptSample => ({
  key: `${executionId}#${toolId}`,
  accountId: MARKET_ACCOUNT,
  toolId,
  success: served,
  durationMs: Math.round(ms),
  atMs,
});
