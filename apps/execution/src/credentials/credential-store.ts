import { randomUUID } from 'node:crypto';
import { AppError, type Clock } from '@capability-router/kernel';
import type { CredentialQuery, CredentialSource, ProviderCredential } from '@capability-router/provider-kit';
import { CLOCK, CONFIG, ExpiringCache, inTransaction, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { ExecutionConfig } from '../config.js';
import { recordChange } from './credentials-changed.js';
import { isErased, lockOwner } from './credentials.sql.js';
import {
  deleteCredential,
  DEPLOYMENT,
  findCredential,
  saveCredential,
  type CredentialKey,
  type SealedCredential,
} from './stored-credentials.js';
import type { CredentialFields } from './domain/check-fields.js';
import { open, seal } from './sealing/seal.js';
import type { SealingKeys } from './sealing/sealing-keys.js';

/** Sealed credentials that are kept in memory. */
const MAX_KEPT = 10_000;
/** Milliseconds; a change is heard of sooner, this is for a replica that cannot hear. */
const KEPT_MS = 30_000;

/**
 * The credentials of this deployment and of accounts. They are kept sealed, in the database and in memory; only `find`,
 * for a call that is about to be sent, opens one, and keeps nothing of it.
 */
@Injectable()
export class CredentialStore implements CredentialSource {
  readonly keys: SealingKeys;
  private readonly kept: ExpiringCache<string, SealedCredential>;
  private evictions = 0;

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) { credentialKeys }: Pick<ExecutionConfig, 'credentialKeys'>,
  ) {
    this.keys = credentialKeys;
    this.kept = new ExpiringCache(MAX_KEPT, clock);
  }

  /** Throws `UnreadableCredentialError`. */
  async find({ providerId, accountId }: CredentialQuery): Promise<ProviderCredential | undefined> {
    const sealed = await this.sealed({ ownerId: accountId ?? DEPLOYMENT, providerId });
    return sealed === undefined ? undefined : { fields: openFields(this.keys, sealed), version: sealed.revision };
  }

  /** The revision of the credential that `find` would open; nothing is opened for it. */
  async revision({ providerId, accountId }: CredentialQuery): Promise<string | undefined> {
    return (await this.sealed({ ownerId: accountId ?? DEPLOYMENT, providerId }))?.revision;
  }

  /** The names of the fields that are set. */
  async fieldNames(key: CredentialKey): Promise<readonly string[]> {
    return Object.keys((await this.sealed(key))?.sealedFields ?? {});
  }

  /** Replaces all fields at once. Throws `AppError` for an account that was erased. */
  async set(key: CredentialKey, fields: CredentialFields, changedBy: string): Promise<SealedCredential> {
    const now = new Date(this.clock.nowMs());
    const credential = sealFields(this.keys, { ...key, revision: randomUUID(), setAt: now, sealedAt: now }, fields);
    await inTransaction(this.pool, async (tx) => {
      await lockOwner(tx, key.ownerId);
      if (await isErased(tx, key.ownerId)) throw new AppError('not_found', 'There is no such account any more.');
      const replaced = (await findCredential(tx, key))?.revision;
      await saveCredential(tx, credential);
      await recordChange(tx, { ...key, change: 'set', changedBy, ...(replaced === undefined ? {} : { replaced }) });
    });
    this.evict(key);
    return credential;
  }

  /** Was there anything? */
  async remove(key: CredentialKey, changedBy: string): Promise<boolean> {
    const replaced = await inTransaction(this.pool, async (tx) => {
      await lockOwner(tx, key.ownerId);
      const revision = await deleteCredential(tx, key);
      if (revision !== undefined) await recordChange(tx, { ...key, change: 'deleted', changedBy, replaced: revision });
      return revision;
    });
    this.evict(key);
    return replaced !== undefined;
  }

  /** It has changed, here or on another replica. */
  evict(key: CredentialKey): void {
    this.evictions += 1;
    this.kept.delete(nameOf(key));
  }

  /** A missing credential is asked for again each time: whoever has just set it calls next, and may do so elsewhere. */
  private async sealed(key: CredentialKey): Promise<SealedCredential | undefined> {
    const name = nameOf(key);
    const known = this.kept.get(name);
    if (known !== undefined) return known;
    const { evictions } = this;
    const found = await findCredential(this.pool, key);
    // A credential that was read before a change must not stay after it.
    if (found !== undefined && evictions === this.evictions) this.kept.set(name, found, KEPT_MS);
    return found;
  }
}

export function sealFields(
  keys: SealingKeys,
  place: Omit<SealedCredential, 'keyId' | 'sealedFields'>,
  fields: CredentialFields,
): SealedCredential {
  const sealedFields = Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, seal(keys, { ...place, field }, value)]),
  );
  return { ...place, keyId: keys.currentId, sealedFields };
}

/** Throws `UnreadableCredentialError`. */
export function openFields(keys: SealingKeys, sealed: SealedCredential): CredentialFields {
  const { keyId, sealedFields } = sealed;
  return Object.fromEntries(
    Object.entries(sealedFields).map(([field, value]) => [field, open(keys, keyId, { ...sealed, field }, value)]),
  );
}

const nameOf = ({ ownerId, providerId }: CredentialKey): string => `${ownerId} ${providerId}`;
