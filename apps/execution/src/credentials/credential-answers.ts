import type { JsonObject } from '@capability-router/kernel';
import { credentialFields } from '@capability-router/provider-kit';
import type { SealedCredential } from './stored-credentials.js';
import type { ProviderAccess } from './domain/provider-access.js';

/** Lists the fields that are set, with which key and since when, and never a value. */
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

/** Lists the fields that can be set, by the way in which the provider is shown them. */
export const shownKinds = ({ kinds }: ProviderAccess): JsonObject[] =>
  kinds.map((kind) => ({ auth: kind, fields: [...credentialFields[kind]] }));
