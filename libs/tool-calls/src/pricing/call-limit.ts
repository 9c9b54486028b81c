import type { AccountAssertion } from '@capability-router/contracts';
import { creditsFromMicro, type Credits } from '@capability-router/kernel';

/** The most that one call or query may cost, and who says so. */
export interface CallLimit {
  readonly amount: Credits;
  readonly setBy: 'caller' | 'credential';
}

/** The tighter one, where both the body and the credential name a limit. */
export function callLimitOf(
  { maxCallMicroCredits }: Pick<AccountAssertion, 'maxCallMicroCredits'>,
  { maxCredits }: { readonly maxCredits?: Credits },
): CallLimit | undefined {
  const own = maxCallMicroCredits === undefined ? undefined : creditsFromMicro(BigInt(maxCallMicroCredits));
  if (maxCredits !== undefined && (own === undefined || maxCredits <= own)) {
    return { amount: maxCredits, setBy: 'caller' };
  }
  return own === undefined ? undefined : { amount: own, setBy: 'credential' };
}
