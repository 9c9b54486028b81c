import { uuidv7, type Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, inTransaction, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import type pg from 'pg';
import { logDeploymentFact } from '../security-log/log-facts.js';
import { openKey, sealKey } from './sealed-key.js';
import {
  endOtherKeys,
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  type SigningKeyRow,
} from './signing-keys.sql.js';
import type { TokenSettings } from './token-settings.js';

/** RFC 9068 has every server and every resource know it. */
export const SIGNING_ALGORITHM = 'RS256';
const MODULUS_BITS = 2_048;
/** Seconds for which a reader may keep the published keys. */
export const PUBLISHED_KEYS_MAX_AGE_SECONDS = 300;
/** Milliseconds from when a key is published to when it signs: longer than anybody keeps the published keys. */
export const PUBLISHED_BEFORE_MS = 2 * PUBLISHED_KEYS_MAX_AGE_SECONDS * 1_000;
/** Milliseconds for which a token may live, and more. */
const TOKENS_LIVE_AT_MOST_MS = 2 * 3_600_000;
/** Milliseconds for which a replica uses what it read of the keys. */
const READ_AGAIN_AFTER_MS = 30_000;
/** Milliseconds between two looks for a key that is not known, whoever asks for it. */
const LOOK_AGAIN_AFTER_MS = 1_000;

interface Key {
  readonly row: SigningKeyRow;
  readonly publicKey: CryptoKey;
  /** Absent where the secret of the deployment has changed since: the key still verifies, and another one signs. */
  readonly privateKey?: CryptoKey;
}

/**
 * The keys that sign access tokens. They stand in the database, so that every replica signs with the same and knows all of
 * them; the first is made when the first token or the first reader needs it. A successor is published before it signs and
 * a predecessor until its last token has ended, so that a rotation is noticed by nobody.
 */
@Injectable()
export class SigningKeys {
  private keys: readonly Key[] = [];
  private readAtMs = -Infinity;
  private reading: Promise<void> | undefined;

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly settings: TokenSettings,
  ) {}

  /** The key that signs now, and its id. */
  async signing(): Promise<{ readonly keyId: string; readonly privateKey: CryptoKey }> {
    const nowMs = this.clock.nowMs();
    if (nowMs - this.readAtMs >= READ_AGAIN_AFTER_MS) await this.read();
    const found = this.current();
    if (found !== undefined) return found;
    await this.make(nowMs);
    const made = this.current();
    if (made === undefined) throw new Error('a signing key was made and is not there');
    return made;
  }

  /** Undefined where there is no such key. Looks again for one that another replica may have made. */
  async verifying(keyId: string): Promise<CryptoKey | undefined> {
    const nowMs = this.clock.nowMs();
    const known = this.find(keyId, nowMs);
    if (nowMs - this.readAtMs < this.patienceMs(known)) return known;
    // A look that is under way may have begun before the key was made.
    if (known === undefined) await this.reading;
    await this.read();
    return this.find(keyId, nowMs);
  }

  /** The first key of a deployment signs as soon as it is made: a replica that knows none looks whenever it is asked. */
  private patienceMs(known: CryptoKey | undefined): number {
    if (known !== undefined) return READ_AGAIN_AFTER_MS;
    return this.keys.length === 0 ? 0 : LOOK_AGAIN_AFTER_MS;
  }

  /** The public keys, for whoever verifies tokens; never none. */
  async published(): Promise<readonly JWK[]> {
    await this.signing();
    return this.keys.map(({ row }) => row.publicJwk);
  }

  /** Makes a successor, which signs once every reader has had the time to see it. */
  async rotate(): Promise<{ readonly keyId: string; readonly signsFromMs: number }> {
    await this.signing();
    const keyId = await this.make(this.clock.nowMs() + PUBLISHED_BEFORE_MS);
    const made = this.keys.find(({ row }) => row.keyId === keyId);
    if (made === undefined) throw new Error('a signing key was made and is not there');
    return { keyId, signsFromMs: made.row.signsFrom.getTime() };
  }

  private current(): { readonly keyId: string; readonly privateKey: CryptoKey } | undefined {
    const nowMs = this.clock.nowMs();
    for (const { row, privateKey } of this.keys) {
      if (privateKey !== undefined && row.signsFrom.getTime() <= nowMs) return { keyId: row.keyId, privateKey };
    }
    return undefined;
  }

  private find(keyId: string, nowMs: number): CryptoKey | undefined {
    const key = this.keys.find(({ row }) => row.keyId === keyId);
    const endsMs = key?.row.verifiesUntil?.getTime() ?? Infinity;
    return endsMs > nowMs ? key?.publicKey : undefined;
  }

  /** Where another replica was faster, its key is the one. Resolves to the id of the newest. */
  private async make(signsFromMs: number): Promise<string> {
    const nowMs = this.clock.nowMs();
    const keyId = uuidv7(nowMs);
    const pair = await generateKeyPair(SIGNING_ALGORITHM, { modulusLength: MODULUS_BITS, extractable: true });
    const publicJwk = { ...(await exportJWK(pair.publicKey)), kid: keyId, alg: SIGNING_ALGORITHM, use: 'sig' };
    const [secret] = this.settings.sealingSecrets;
    const sealedPrivate = sealKey(secret, keyId, JSON.stringify(await exportJWK(pair.privateKey)));
    const row = { keyId, publicJwk, sealedPrivate, madeAt: new Date(nowMs), signsFrom: new Date(signsFromMs) };
    const newest = await inTransaction(this.pool, async (tx) => {
      await lockSigningKeys(tx);
      const [first] = await listSigningKeys(tx, new Date(nowMs));
      if (first !== undefined && (await this.usable(first)).privateKey !== undefined) {
        const isAwaited = first.signsFrom.getTime() > nowMs;
        if (isAwaited || signsFromMs <= nowMs) return first.keyId;
      }
      await insertSigningKey(tx, row);
      await endOtherKeys(tx, keyId, new Date(signsFromMs + TOKENS_LIVE_AT_MOST_MS));
      await logDeploymentFact(tx, { action: 'signing_key.made', object: { type: 'signing_key', id: keyId } }, nowMs);
      return keyId;
    });
    await this.read();
    return newest;
  }

  private read(): Promise<void> {
    return (this.reading ??= this.readNow().finally(() => (this.reading = undefined)));
  }

  private async readNow(): Promise<void> {
    const nowMs = this.clock.nowMs();
    const rows = await listSigningKeys(this.pool, new Date(nowMs));
    const known = new Map(this.keys.map((key) => [key.row.keyId, key]));
    const keys = rows.map(async (row) => {
      const before = known.get(row.keyId);
      return before === undefined ? this.usable(row) : { ...before, row };
    });
    this.keys = await Promise.all(keys);
    this.readAtMs = nowMs;
  }

  private async usable(row: SigningKeyRow): Promise<Key> {
    const publicKey = (await importJWK(row.publicJwk, SIGNING_ALGORITHM)) as CryptoKey;
    const text = openKey(this.settings.sealingSecrets, row.keyId, row.sealedPrivate);
    if (text === undefined) return { row, publicKey };
    const privateKey = (await importJWK(JSON.parse(text) as JWK, SIGNING_ALGORITHM)) as CryptoKey;
    return { row, publicKey, privateKey };
  }
}
