import type { AccountAssertion } from '@capability-router/contracts';
import { requireScope } from '@capability-router/service-kit';

/** Throws `insufficient_scope` unless the credential was issued with the scope `admin`. */
export function requireAdmin(account: AccountAssertion): void {
  requireScope(account, 'admin');
}
