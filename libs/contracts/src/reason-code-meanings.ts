import type { ChargeOutcome, ReasonCode } from './reason-codes.js';

export interface ReasonCodeMeaning {
  readonly meaning: string;
  /** What the audit row normally says; the row itself is authoritative. */
  readonly typicalChargeOutcomes: readonly ChargeOutcome[];
}

const free: readonly ChargeOutcome[] = ['failed_not_charged'];

/** What each reason code tells a caller; `docs/reason-codes.md` is generated from it. */
export const reasonCodeMeanings: Readonly<Record<ReasonCode, ReasonCodeMeaning>> = {
  'result.valid': {
    meaning: 'The tool returned a usable result.',
    typicalChargeOutcomes: ['charged', 'included'],
  },
  'result.partial_success': {
    meaning: 'Part of the result is usable; the bill counts that part only.',
    typicalChargeOutcomes: ['charged', 'included', 'failed_not_charged'],
  },
  'result.empty': {
    meaning: 'The provider answered validly, but had nothing for these parameters.',
    typicalChargeOutcomes: free,
  },
  'provider.error': { meaning: 'The provider reported an error of its own.', typicalChargeOutcomes: free },
  'provider.http_error': { meaning: 'The provider answered with an HTTP error status.', typicalChargeOutcomes: free },
  'provider.rate_limited': {
    meaning: 'The provider is limiting calls. Retry later, or choose another tool.',
    typicalChargeOutcomes: free,
  },
  'provider.auth_or_permission': {
    meaning: 'The provider refused the credentials that this deployment holds for it.',
    typicalChargeOutcomes: free,
  },
  'transport.timeout': { meaning: 'The tool did not answer before its deadline.', typicalChargeOutcomes: free },
  'transport.no_response': {
    meaning: 'No answer came from the provider. Read the usage history by `execution_id` before calling again.',
    typicalChargeOutcomes: free,
  },
  'transport.execution_failed': {
    meaning: 'The call could not be run, or was interrupted before its result was recorded.',
    typicalChargeOutcomes: free,
  },
  validation_error: {
    meaning: "The request or its parameters do not fit the tool's schema. Nothing was called.",
    typicalChargeOutcomes: free,
  },
  tool_unavailable: {
    meaning:
      'The tool is retired or switched off, or its provider keeps failing and is left alone. Nothing was called.',
    typicalChargeOutcomes: free,
  },
  region_restricted: { meaning: "The tool may not be called from the caller's region.", typicalChargeOutcomes: free },
  oauth_signin_required: {
    meaning: 'The provider wants a credential that has not been set. Nothing was called.',
    typicalChargeOutcomes: free,
  },
  insufficient_credits: {
    meaning: 'The upper bound of the price is above what the account has available. Nothing was called.',
    typicalChargeOutcomes: free,
  },
  budget_exceeded: {
    meaning: 'The upper bound of the price is above a budget of the caller. Nothing was called.',
    typicalChargeOutcomes: free,
  },
};
