import type { JsonObject } from '@capability-router/kernel';
import { credentialFields } from '@capability-router/provider-kit';
import type { SealedCredential } from './stored-credentials.js';
import type { ProviderAccess } from './domain/provider-access.js';

/** Which fields are set, with which key and since when. Never a value. */
export const shownFields = (sealed: SealedCredential | undefined): JsonObject[] =>
  sealed === undefined
    ? []
    : Object.keys(sealed.sealedFields)
        .sort()
        .map((field) => ({
          field,
          key_id: sealed.keyId,
          set_at: sealed.setAt.toISOString(),
          sealed_at: sealed.sealedAt.toISOString(),
        }));

/** For owners of accounts: which key seals a field is the operator's concern. */
export const shownToOwner = (sealed: SealedCredential | undefined): JsonObject[] =>
  sealed === undefined
    ? []
    : Object.keys(sealed.sealedFields)
        .sort()
        .map((field) => ({ field, set_at: sealed.setAt.toISOString() }));

/** What can be set, by the way in which the provider is shown it. */
export const shownKinds = ({ kinds }: ProviderAccess): JsonObject[] =>
  kinds.map((kind) => ({ auth: kind, fields: [...credentialFields[kind]] }));
