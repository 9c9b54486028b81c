import { accountId, clientId } from './common-shapes.js';
import { filledText, listOf, oneOf, record, timestamp, uuid } from './shapes.js';

/** A page of what people of an account let programs do. */
export const consentPage = record(
  {
    items: listOf(
      record(
        {
          consent_id: uuid,
          client_id: clientId,
          client_name: filledText,
          scopes: listOf(oneOf('call', 'read', 'manage')),
          resource: filledText,
          granted_at: timestamp,
          expires_at: timestamp,
        },
        { api_key_id: uuid, last_used_at: timestamp },
      ),
    ),
  },
  { next_before: uuid },
);
export const endedConsent = record(
  {
    consent_id: uuid,
    account_id: accountId,
    client_id: clientId,
    revoked_at: timestamp,
  },
  { pending: oneOf(true) },
);
