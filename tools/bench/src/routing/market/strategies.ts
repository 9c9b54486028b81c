import {
  decideRoute,
  defaultRoutingPolicy,
  type RoutingPolicy,
  type RoutingRequest,
} from '@capability-router/capability-routing/routing';
import { creditsFromMicro } from '@capability-router/kernel';
import { LearnedEvidence } from './learned-evidence.js';
import { expectedCost, type Provider } from './market.js';

export interface Situation {
  readonly providers: readonly Provider[];
  /** By the place of the provider. */
  readonly evidence: readonly LearnedEvidence[];
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** From 1. */
  readonly request: number;
  readonly seed: number;
}

/** The providers to try, in order. */
export type Strategy = (situation: Situation) => readonly Provider[];

/** Knows each provider's price, latency and failure rate, and tries every order of two. */
const oracle: Strategy = ({ providers }) => {
  const orders = providers.flatMap((first) =>
    providers.filter((second) => second !== first).map((second) => [first, second]),
  );
  return orders.reduce((best, order) => (expectedCost(order) < expectedCost(best) ? order : best));
};

const router =
  (prefer?: NonNullable<RoutingRequest['prefer']>, policy: RoutingPolicy = defaultRoutingPolicy): Strategy =>
  ({ providers, evidence, nowMs, request, seed }) => {
    const candidates = providers.map(({ toolId, credits }, at) => ({
      toolId,
      providerId: toolId,
      hasBoundContract: true,
      isAllowedInRegion: true,
      missingParameters: [],
      verification: 'verified' as const,
      upperPrice: creditsFromMicro(BigInt(Math.round(credits * 1_000_000))),
      dataAgeMs: 0,
      ...(evidence[at] ?? new LearnedEvidence()).at(nowMs),
    }));
    const asked = { seed: `exec_${seed}_${request}`, ...(prefer === undefined ? {} : { prefer }) };
    return decideRoute(candidates, asked, policy).candidates.flatMap(
      ({ toolId }) => providers.find((provider) => provider.toolId === toolId) ?? [],
    );
  };

const notExploring: RoutingPolicy = {
  ...defaultRoutingPolicy,
  exploration: { ...defaultRoutingPolicy.exploration, share: 0 },
};

export const strategies = {
  oracle,
  'router, prefer price': router('price'),
  'the same, not exploring': router('price', notExploring),
  router: router(),
  'router, prefer speed': router('speed'),
  'router, prefer quality': router('quality'),
  'cheapest first': ({ providers }) => [...providers].sort((a, b) => a.credits - b.credits),
  'round robin': ({ providers, request }) => {
    const from = request % providers.length;
    return [...providers.slice(from), ...providers.slice(0, from)];
  },
  'fixed order': ({ providers }) => providers,
} as const satisfies Readonly<Record<string, Strategy>>;

export type StrategyName = keyof typeof strategies;
export const strategyNames = Object.keys(strategies) as StrategyName[];
