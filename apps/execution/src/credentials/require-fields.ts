import { AppError } from '@capability-router/kernel';
import { credentialFields } from '@capability-router/provider-kit';
import { messageOfDetails } from '@capability-router/service-kit';
import { checkFields, type CredentialFields } from './domain/check-fields.js';
import type { ProviderAccess } from './domain/provider-access.js';

/** The fields of a body, whole for at least one way to sign in. Throws `validation_error`, which repeats no value. */
export function requireFields(access: ProviderAccess, body: unknown): CredentialFields {
  const checked = checkFields(body, fieldsByKind(access));
  if (checked.ok) return checked.value;
  throw new AppError('validation_error', messageOfDetails(checked.error), { details: checked.error });
}

/** The fields that the provider's tools declare, by kind. */
const fieldsByKind = ({ kinds }: ProviderAccess): Record<string, readonly string[]> =>
  Object.fromEntries(kinds.map((kind) => [kind, credentialFields[kind]]));
