import { tailOwnStore, type Tail } from '@capability-router/event-bus';
import { currentHorizon, eventTableSource } from '@capability-router/event-store';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { CredentialStore } from './credential-store.js';
import { CREDENTIALS_TOPIC, type ProviderCredentialsChanged } from './credentials-changed.js';

/** Milliseconds between looks at the own store: for so long may another replica still use what was replaced. */
const POLL_INTERVAL_MS = 250;

/**
 * Lets this replica drop what was changed on any: the sealed copy, and by `forget` what was got with a revision that is
 * not used any more (access tokens, sessions).
 */
export async function followCredentials(
  pool: pg.Pool,
  store: CredentialStore,
  forget: (revision: string) => void,
  logger: Logger,
): Promise<Tail> {
  return tailOwnStore(pool, {
    source: eventTableSource([CREDENTIALS_TOPIC]),
    from: await currentHorizon(pool),
    pollIntervalMs: POLL_INTERVAL_MS,
    logger,
    handle: async (events) => {
      for (const event of events) {
        const { ownerId, providerId, replaced } = event.data as unknown as ProviderCredentialsChanged;
        store.evict({ ownerId, providerId });
        if (replaced !== undefined) forget(replaced);
      }
    },
  });
}
