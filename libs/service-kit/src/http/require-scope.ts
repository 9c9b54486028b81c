import type { AccountAssertion, ApiKeyScope } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';

/** The refusal of a credential that lacks a scope: 403, which names it. */
export const insufficientScope = (
  scope: ApiKeyScope,
  account: Pick<AccountAssertion, 'projectClosed'> | undefined,
): AppError =>
  scope === 'call' && account?.projectClosed === true
    ? new AppError('insufficient_scope', CLOSED_PROJECT, { scope, nextStep: OPEN_IT })
    : new AppError('insufficient_scope', `This key lacks the scope "${scope}". Use a key that has it.`, { scope });

const CLOSED_PROJECT =
  'The project of this key is closed. Until it is opened again, the key lacks the scope "call" and spends nothing.';
const OPEN_IT = 'Open the project with PATCH /auth/projects/{project_id}, or use a key outside of it.';

/** Throws `insufficient_scope` unless the credential was issued with the scope. */
export function requireScope(account: AccountAssertion, scope: ApiKeyScope): void {
  if (!account.scopes.includes(scope)) throw insufficientScope(scope, account);
}

/** Throws `insufficient_scope` unless the credential was issued with the scope `admin`. */
export function requireAdmin(account: AccountAssertion): void {
  requireScope(account, 'admin');
}
