import type { VerificationStatus } from '@capability-router/contracts';
import type { Credits } from '@capability-router/kernel';

/** One tool that is bound to the capability, with all that a decision may rest on. */
export interface Candidate {
  readonly toolId: string;
  readonly providerId: string;
  /** Is the tool's contract still the one that its binding was checked against? False for a retired tool, too. */
  readonly hasBoundContract: boolean;
  /** In a sentence, why it is not. */
  readonly bindingFault?: string;
  /** May accounts of the caller's region call it? */
  readonly isAllowedInRegion: boolean;
  /** Names of parameters that it needs and that its binding does not get from the request. */
  readonly missingParameters: readonly string[];
  readonly verification: VerificationStatus;
  /** Calls that speak for it and against it, within the window of its statistics. */
  readonly successes: number;
  readonly failures: number;
  /** Milliseconds, of its successful calls. Undefined where too few of them are known. */
  readonly p95Ms: number | undefined;
  /**
   * Share of the requests that may reach it: 1 with a closed breaker, 0 with an open one, and in between while it is taken
   * back.
   */
  readonly admittedShare: number;
  /** Its breaker has been open and is not closed yet: it has to be tried, whatever its success rate was. */
  readonly isTakenBack?: boolean;
  /** The most that this very request can cost. Undefined where that cannot be proven. */
  readonly upperPrice: Credits | undefined;
  /** Milliseconds, of the data that it answers from. Undefined where it does not say. */
  readonly dataAgeMs: number | undefined;
}

/** Why a candidate is left out. */
export type ExclusionReason =
  | 'contract_changed'
  | 'delegation'
  | 'region'
  | 'missing_parameter'
  | 'unverified'
  | 'quality_floor'
  | 'breaker_open'
  | 'price_unproven'
  | 'over_budget'
  | 'insufficient_credits';

/** Throws `RangeError` for evidence that cannot be: whoever gathers it is broken. */
export function assertCandidate({ toolId, successes, failures, p95Ms, admittedShare, upperPrice }: Candidate): void {
  const counts = Number.isSafeInteger(successes) && Number.isSafeInteger(failures) && successes >= 0 && failures >= 0;
  const share = admittedShare >= 0 && admittedShare <= 1;
  const time = p95Ms === undefined || (Number.isFinite(p95Ms) && p95Ms >= 0);
  const price = upperPrice === undefined || upperPrice >= 0n;
  if (!counts || !share || !time || !price) throw new RangeError(`candidate "${toolId}" has evidence that cannot be`);
}
