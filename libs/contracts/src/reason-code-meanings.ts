import type { ChargeOutcome, ReasonCode } from './reason-codes.js';

export interface ReasonCodeMeaning {
  readonly meaning: string;
  /** The causes, each a phrase. */
  readonly causes: readonly string[];
  /** The charge outcomes of which the audit row normally has one; the row itself is authoritative. */
  readonly typicalChargeOutcomes: readonly ChargeOutcome[];
}

const free: readonly ChargeOutcome[] = ['failed_not_charged'];

/** The meaning of each reason code for a caller; `docs/reason-codes.md` is generated from it. */
export const reasonCodeMeanings: Readonly<Record<ReasonCode, ReasonCodeMeaning>> = {
  'result.valid': {
    meaning: 'The tool returned a usable result.',
    causes: ["a result that is not empty and that the tool's `partial_when` does not select"],
    typicalChargeOutcomes: ['charged', 'included'],
  },
  'result.partial_success': {
    meaning: 'Part of the result is usable; the bill counts that part only.',
    causes: ["a result that the tool's `partial_when` selects"],
    typicalChargeOutcomes: ['charged', 'included', 'failed_not_charged'],
  },
  'result.empty': {
    meaning: 'The provider answered validly, but had nothing for these parameters.',
    causes: [
      '`null`, `[]`, `{}`, no content, nothing under `result_path`',
      'no rows where rows are billed or the result has `rows`',
      "a result that the tool's `empty_when` selects",
    ],
    typicalChargeOutcomes: free,
  },
  'provider.error': {
    meaning: 'The provider reported an error of its own.',
    causes: [
      'garbage, cut-off or broken JSON, a type that is no result, an unknown content encoding',
      'an answer that is too large, sent or unpacked, or nested too deeply, or whose headers are',
      "a result that does not fit the tool's `schema`, or has no rows where rows are billed",
      'an error result or an error message of an MCP server; an error of a built-in tool',
    ],
    typicalChargeOutcomes: free,
  },
  'provider.http_error': {
    meaning: 'The provider answered with an HTTP error status.',
    causes: ['any status that is not 2xx and has no code of its own; redirects, which are not followed, among them'],
    typicalChargeOutcomes: free,
  },
  'provider.rate_limited': {
    meaning: 'The provider is limiting calls. Retry later, or choose another tool.',
    causes: ['429'],
    typicalChargeOutcomes: free,
  },
  'provider.auth_or_permission': {
    meaning: 'The provider refused the credentials that this deployment holds for it.',
    causes: ['401, 403, 407', 'no access token from the token endpoint'],
    typicalChargeOutcomes: free,
  },
  'transport.timeout': {
    meaning: 'The tool did not answer before its deadline.',
    causes: [
      'the deadline passed while a name was resolved, connecting, in the TLS handshake, before or within the headers, within the body',
      'an answer after the deadline; a wait for a free connection or process that took the whole time',
    ],
    typicalChargeOutcomes: free,
  },
  'transport.no_response': {
    meaning:
      'No complete answer came from the provider, which may have done what it was asked for. `retryable` says whether the same call may succeed; where the answer to the call itself was lost, read the usage history by `execution_id` first.',
    causes: [
      'a host name that does not exist',
      'a connection refused, reset or closed before the answer was complete',
      'a certificate or handshake that is not accepted; an egress proxy that opens no tunnel',
      'the call itself: its end could not be recorded',
    ],
    typicalChargeOutcomes: free,
  },
  'transport.execution_failed': {
    meaning: 'The call could not be run, or was interrupted before its result was recorded.',
    causes: [
      'an address that this deployment may not connect to; a binding that cannot be used',
      'too many calls that wait for the provider',
      'a `result_path`, `empty_when`, `partial_when` or `schema` that could not be evaluated within its limits',
      'the call was interrupted: whoever ran it is gone, or was still running it 5 s after the deadline',
    ],
    typicalChargeOutcomes: free,
  },
  validation_error: {
    meaning: "The request or its parameters do not fit the tool's schema. Nothing was called.",
    causes: [
      "an invalid request; an unknown `tool_id`; parameters that do not fit the schema, or have no place in the provider's request",
    ],
    typicalChargeOutcomes: free,
  },
  tool_unavailable: {
    meaning:
      'The tool is retired or switched off, or its provider keeps failing and is left alone. Nothing was called.',
    causes: [
      'a tool that is retired',
      'a provider whose breaker is open',
      'a stdio command that the operator has not configured',
    ],
    typicalChargeOutcomes: free,
  },
  region_restricted: {
    meaning: 'The tool may not be called from where the account is. Nothing was called.',
    causes: [
      "an account whose region the tool's `region` denies or does not list",
      'an account without a region, where the tool lists who may call it',
    ],
    typicalChargeOutcomes: free,
  },
  oauth_signin_required: {
    meaning: 'The provider wants a credential that has not been set. Nothing was called.',
    causes: [
      'a credential of the provider that neither the deployment nor, where the tool wants that, the account has set',
    ],
    typicalChargeOutcomes: free,
  },
  insufficient_credits: {
    meaning: 'The upper bound of the price is above what the account has available. Nothing was called.',
    causes: ['an upper price above what the account has available'],
    typicalChargeOutcomes: free,
  },
  budget_exceeded: {
    meaning: 'The upper bound of the price is above a budget of the caller. Nothing was called.',
    causes: ['an upper price above what is left of a budget'],
    typicalChargeOutcomes: free,
  },
};
