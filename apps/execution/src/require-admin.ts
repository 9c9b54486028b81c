import type { AccountAssertion } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';

/** Throws `forbidden` unless the credential was issued with the scope `admin`. */
export function requireAdmin(account: AccountAssertion): void {
  if (!account.scopes.includes('admin')) throw new AppError('forbidden');
}
