import type { Clock } from '@capability-router/kernel';
import { CLOCK, inTransaction, LOGGER, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { Logger } from 'pino';
import { CredentialStore, openFields, sealFields } from './credential-store.js';
import { findSealedOtherwise, lockManyRows, reseal } from './credentials.sql.js';
import type { CredentialKey, SealedCredential } from './stored-credentials.js';
import { UnreadableCredentialError } from './sealing/seal.js';
import type { SealingKeys } from './sealing/sealing-keys.js';

/** Credentials in one transaction. */
const BATCH_ROWS = 100;
/** Batches in one request. */
const MAX_BATCHES = 10;
/** Credentials that could not be opened and are named. */
const MAX_NAMED = 50;

export const ROTATION_START: CredentialKey = { ownerId: '', providerId: '' };

export interface Unreadable extends CredentialKey {
  readonly keyId: string;
  readonly reason: UnreadableCredentialError['reason'];
}

export interface Rotation {
  readonly resealed: number;
  /** They stay as they are: their key has to be configured, or they have to be set anew. */
  readonly unreadableCount: number;
  readonly unreadable: readonly Unreadable[];
  /** The rotation goes on after this credential; absent where nothing is left. */
  readonly next?: CredentialKey;
}

/** Seals with the current key what is sealed with another. */
@Injectable()
export class CredentialRotation {
  private readonly keys: SealingKeys;

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CredentialStore) { keys }: Pick<CredentialStore, 'keys'>,
  ) {
    this.keys = keys;
  }

  /**
   * Goes on after a credential, some batches at a time, each a transaction of its own: a rotation can be broken off and begun again
   * at any point. Values, and so revisions, stay what they are.
   */
  async rotate(after: CredentialKey): Promise<Rotation> {
    const { pool, keys } = this;
    let resealed = 0;
    let unreadableCount = 0;
    const unreadable: Unreadable[] = [];
    let position = after;
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const found = await findSealedOtherwise(pool, keys.currentId, position, BATCH_ROWS);
      const last = found.at(-1);
      if (last === undefined) return { resealed, unreadableCount, unreadable };
      const { ready, failed } = resealAll(keys, found, new Date(this.clock.nowMs()));
      for (const error of failed) this.logger.error({ err: error.cause }, 'a credential cannot be sealed anew');
      unreadableCount += failed.length;
      unreadable.push(...failed.map(({ unreadable: one }) => one).slice(0, MAX_NAMED - unreadable.length));
      resealed += await writeBatch(pool, ready);
      position = { ownerId: last.ownerId, providerId: last.providerId };
      if (found.length < BATCH_ROWS) return { resealed, unreadableCount, unreadable };
    }
    return { resealed, unreadableCount, unreadable, next: position };
  }
}

interface Resealed {
  readonly credential: SealedCredential;
  readonly previousKeyId: string;
}

function resealAll(keys: SealingKeys, found: readonly SealedCredential[], sealedAt: Date) {
  const ready: Resealed[] = [];
  const failed: { readonly unreadable: Unreadable; readonly cause: unknown }[] = [];
  for (const sealed of found) {
    const { ownerId, providerId, revision, setAt, keyId } = sealed;
    try {
      const place = { ownerId, providerId, revision, setAt, sealedAt };
      ready.push({ credential: sealFields(keys, place, openFields(keys, sealed)), previousKeyId: keyId });
    } catch (cause) {
      if (!(cause instanceof UnreadableCredentialError)) throw cause;
      failed.push({ unreadable: { ownerId, providerId, keyId, reason: cause.reason }, cause });
    }
  }
  return { ready, failed };
}

async function writeBatch(pool: pg.Pool, ready: readonly Resealed[]): Promise<number> {
  if (ready.length === 0) return 0;
  return inTransaction(pool, async (tx) => {
    await lockManyRows(tx);
    // Nobody is told: copies in memory that are sealed with the old key open as well.
    return reseal(
      tx,
      ready.map(({ credential }) => credential),
      ready.map(({ previousKeyId }) => previousKeyId),
    );
  });
}

/** As it is written in answers and taken back. */
export const positionText = ({ ownerId, providerId }: CredentialKey): string => `${ownerId}/${providerId}`;

export function parsePosition(text: string): CredentialKey {
  const slash = text.indexOf('/');
  return { ownerId: text.slice(0, slash), providerId: text.slice(slash + 1) };
}
