import { AppError, canonicalUuid, toIso, type Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, POOL, requireValid } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { resourceAt, type TokenSettings } from '../../signing-keys/token-settings.js';
import { RefreshFamilies } from '../refresh-families.js';
import { ConsentsQuery } from './consents.query.js';
import { pageOfConsents, type StandingConsent } from './list-consents.sql.js';

export interface ConsentFacts {
  readonly consent_id: string;
  readonly client_id: string;
  readonly client_name: string;
  readonly scopes: readonly string[];
  /** The program asked for it by this name; its tokens are good for every name of the interface. */
  readonly resource: string;
  /** The key that was shown for it; absent where it was a mailed code. */
  readonly api_key_id?: string;
  readonly granted_at: string;
  /** To the minute; absent where it never was. */
  readonly last_used_at?: string;
  readonly expires_at: string;
}

export interface ConsentList {
  readonly items: readonly ConsentFacts[];
  /** Where the next page begins; absent on the last. */
  readonly next_before?: string;
}

export interface EndedConsent {
  readonly consent_id: string;
  readonly account_id: string;
  readonly client_id: string;
  readonly revoked_at: string;
  /** Not every replica of the gateway has confirmed that it refuses the tokens. */
  readonly pending?: true;
}

/** Consents that people of an account gave to programs, as they and administrators see and end them. */
@Injectable()
export class Consents {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly settings: TokenSettings,
    @Inject(RefreshFamilies) private readonly families: RefreshFamilies,
  ) {}

  /** Throws `AppError` 422 for a query that is none. */
  async list(accountId: string, query: unknown): Promise<ConsentList> {
    const { limit, before } = requireValid(ConsentsQuery, query, { location: 'query' });
    const now = new Date(this.clock.nowMs());
    const found = await pageOfConsents(this.pool, { accountId, before, now, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    const items = page.map((consent) => toFacts(consent, this.settings.publicUrl));
    return { items, ...(last === undefined ? {} : { next_before: last.familyId }) };
  }

  /**
   * Ends one with all its tokens. Resolves when no living gateway takes one any more, or after a second with `pending`;
   * repeating it answers as the first time did, and waits again. `of`: whose it has to be. Throws `AppError` 404.
   */
  async end(
    named: string,
    reason: 'owner' | 'administrator',
    of?: { readonly accountId: string },
  ): Promise<EndedConsent> {
    const consentId = canonicalUuid(named);
    if (consentId === undefined) throw new AppError('not_found');
    const ended = await this.families.revokeById(consentId, reason, of);
    if (ended === undefined) throw new AppError('not_found');
    return {
      consent_id: consentId,
      account_id: ended.accountId,
      client_id: ended.clientId,
      revoked_at: toIso(ended.revokedAtMs),
      ...(ended.isHeard ? {} : { pending: true }),
    };
  }
}

function toFacts(consent: StandingConsent, publicUrl: string): ConsentFacts {
  const { apiKeyId, lastUsedAt, resourcePath } = consent;
  return {
    consent_id: consent.familyId,
    client_id: consent.clientId,
    client_name: consent.clientName,
    scopes: consent.scopes,
    resource: resourceAt(publicUrl, resourcePath),
    ...(apiKeyId === null ? {} : { api_key_id: apiKeyId }),
    granted_at: consent.beganAt.toISOString(),
    ...(lastUsedAt === null ? {} : { last_used_at: lastUsedAt.toISOString() }),
    expires_at: consent.expiresAt.toISOString(),
  };
}
