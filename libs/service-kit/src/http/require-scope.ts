import type { AccountAssertion, ApiKeyScope } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';

/** The refusal of a credential that lacks a scope: 403, which names it. */
export const insufficientScope = (scope: ApiKeyScope): AppError =>
  new AppError('insufficient_scope', `This key lacks the scope "${scope}". Use a key that has it.`, { scope });

/** Throws `insufficient_scope` unless the credential was issued with the scope. */
export function requireScope({ scopes }: AccountAssertion, scope: ApiKeyScope): void {
  if (!scopes.includes(scope)) throw insufficientScope(scope);
}

/** Throws `insufficient_scope` unless the credential was issued with the scope `admin`. */
export function requireAdmin(account: AccountAssertion): void {
  requireScope(account, 'admin');
}
