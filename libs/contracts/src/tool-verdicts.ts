import type { ExecutionOutcome } from './events/execution.js';
import type { ReasonCode } from './reason-codes.js';

/** Whether what became of a call speaks for its tool, against it, or not about it at all. */
export type ToolVerdict = 'success' | 'failure' | 'neither';

const verdicts: Readonly<Record<ReasonCode, ToolVerdict>> = {
  'result.valid': 'success',
  'result.partial_success': 'success',
  // Whether there was anything to find lies with the parameters as often as with the tool.
  'result.empty': 'neither',
  'provider.error': 'failure',
  'provider.http_error': 'failure',
  'provider.rate_limited': 'failure',
  // The deployment's credentials are part of what callers get.
  'provider.auth_or_permission': 'failure',
  'transport.timeout': 'failure',
  'transport.no_response': 'failure',
  'transport.execution_failed': 'failure',
  validation_error: 'neither',
  tool_unavailable: 'neither',
  region_restricted: 'neither',
  oauth_signin_required: 'neither',
  insufficient_credits: 'neither',
  budget_exceeded: 'neither',
};

/** Whose fault a failure is, where that is known: the caller's, whom the provider refused, or the deployment's own. */
export type Blame = Pick<ExecutionOutcome, 'callerFault' | 'ours'>;

/** A failure counts against the tool where it is nobody else's. A reason code of a newer build says nothing. */
export function toolVerdict(reasonCode: string, { callerFault, ours }: Blame): ToolVerdict {
  const verdict = Object.hasOwn(verdicts, reasonCode) ? verdicts[reasonCode as ReasonCode] : 'neither';
  return verdict === 'failure' && (callerFault === true || ours === true) ? 'neither' : verdict;
}
