import { appendToStream, type Queryable } from '@capability-router/event-store';
import type { CredentialKey } from './stored-credentials.js';

/** A topic of this service's own store, never published: it tells every replica what not to use any more. */
export const CREDENTIALS_TOPIC = 'local.execution.provider-credentials';

/** Who changed what. Never a value, nor which fields there are. */
export interface ProviderCredentialsChanged extends CredentialKey {
  readonly change: 'set' | 'deleted' | 'erased';
  /** The account of whoever asked for it. */
  readonly changedBy?: string;
  /** The revision that is not used any more. */
  readonly replaced?: string;
}

/** In the transaction of the change. */
export async function recordChange(tx: Queryable, change: ProviderCredentialsChanged): Promise<void> {
  const { ownerId, providerId } = change;
  await appendToStream(tx, 'execution', `provider-credentials:${ownerId}:${providerId}`, 'any', [
    { type: 'ProviderCredentialsChanged', topic: CREDENTIALS_TOPIC, partitionKey: ownerId, data: change },
  ]);
}
