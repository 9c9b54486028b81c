import type { AccountAssertion, AccountKind } from '@capability-router/contracts';
import type { Credits } from '@capability-router/kernel';

interface ClaimedAccount {
  readonly accountId: string;
  readonly accountKind: AccountKind;
  readonly paymentRequired: boolean;
  /** ISO 3166-1 alpha-2. */
  readonly region: string | null;
}

/** Every credential of an account says this of it. */
export const accountClaims = (
  { accountId, accountKind, paymentRequired, region }: ClaimedAccount,
  { maxCallCredits }: { readonly maxCallCredits: Credits },
): Pick<AccountAssertion, 'accountId' | 'accountKind' | 'accountStatus' | 'region' | 'maxCallMicroCredits'> => ({
  accountId,
  accountKind,
  ...(paymentRequired ? { accountStatus: 'payment_required' as const } : {}),
  ...(region === null ? {} : { region }),
  ...(accountKind === 'trial' ? { maxCallMicroCredits: maxCallCredits.toString() } : {}),
});
