import type { Credits } from '@capability-router/kernel';
import type { Exclusion } from './exclude.js';
import type { Factors } from './score.js';

export interface RankedCandidate {
  readonly toolId: string;
  readonly providerId: string;
  readonly upperPrice: Credits;
  readonly score: number;
  readonly factors: Factors;
  /** Calls that its statistics rest on. */
  readonly calls: number;
  /** True where the candidate goes first so that its evidence grows, not for its score. */
  readonly isExploration: boolean;
  /** The reason for its place, in a sentence. */
  readonly explanation: string;
}

export interface RoutingDecision {
  /** The tool to try first. Undefined where every candidate is left out. */
  readonly chosen: string | undefined;
  /** In the order in which they are to be tried. */
  readonly candidates: readonly RankedCandidate[];
  /** By tool id. */
  readonly excluded: readonly Exclusion[];
  /** Tools of providers that the caller did not ask for, by id. They are no candidates. */
  readonly notAsked: readonly string[];
}
