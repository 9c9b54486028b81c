import type { Clock } from '@capability-router/kernel';
import { createLocalJWKSet, errors, type CryptoKey, type JWSHeaderParameters, type LocalJWKSet } from 'jose';
import { readKeySet } from './read-key-set.js';

/** Milliseconds for which keys are used without asking again: so long may a key be used that the issuer has withdrawn. */
export const KEYS_FRESH_MS = 600_000;
/** Milliseconds for which they are used while the issuer does not answer. */
const KEYS_KEPT_MS = 86_400_000;
/** Milliseconds between two questions, whatever tokens come: a flood of unknown keys is one question each time. */
const COOL_DOWN_MS = 5_000;

/** The issuer's keys are not to be had, and the one that is asked for is not among those that are known. */
export class KeysUnavailable extends Error {}

export type KeysRead = 'read' | 'failed';

/**
 * The public keys of one issuer. They are read when the first token needs them, again when they are old or a token names
 * another one, and never more often than every five seconds. While the issuer is away those that are known stay good.
 */
export class IssuerKeys {
  private set: { readonly find: LocalJWKSet; readonly readAtMs: number } | undefined;
  private triedAtMs = -Infinity;
  private failed = false;
  private reading: Promise<void> | undefined;

  /** @param onRead is told how each reading ended, and why where it failed */
  constructor(
    private readonly url: string,
    private readonly clock: Clock,
    private readonly onRead: (outcome: KeysRead, error?: unknown) => void,
  ) {}

  /** Undefined where the issuer has no such key. Throws `KeysUnavailable`. */
  async find(header: Pick<JWSHeaderParameters, 'alg' | 'kid'>): Promise<CryptoKey | undefined> {
    if (this.ageMs() >= KEYS_FRESH_MS) {
      const failedBefore = this.failed;
      const read = this.read();
      // An issuer that is known to be away is not waited for again and again.
      if (!failedBefore) await read;
    }
    const known = await this.known(header);
    if (known !== undefined) return known;
    await this.read();
    const found = await this.known(header);
    if (found === undefined && this.failed) throw new KeysUnavailable('the keys of the issuer cannot be read');
    return found;
  }

  private ageMs(): number {
    return this.set === undefined ? Infinity : this.clock.nowMs() - this.set.readAtMs;
  }

  private async known(header: Pick<JWSHeaderParameters, 'alg' | 'kid'>): Promise<CryptoKey | undefined> {
    if (this.set === undefined || this.ageMs() >= KEYS_KEPT_MS) return undefined;
    try {
      return await this.set.find(header);
    } catch (error) {
      // There is none, there are several, or it is none of the kind that the algorithm needs.
      if (isFaultOfKey(error)) return undefined;
      throw error;
    }
  }

  /** Those that ask together share one question. */
  private read(): Promise<void> {
    const sinceMs = this.clock.nowMs() - this.triedAtMs;
    if (this.reading === undefined && sinceMs >= 0 && sinceMs < COOL_DOWN_MS) return Promise.resolve();
    return (this.reading ??= this.readNow().finally(() => (this.reading = undefined)));
  }

  private async readNow(): Promise<void> {
    this.triedAtMs = this.clock.nowMs();
    try {
      const find = createLocalJWKSet(await readKeySet(this.url));
      this.set = { find, readAtMs: this.triedAtMs };
      this.failed = false;
      this.onRead('read');
    } catch (error) {
      this.failed = true;
      this.onRead('failed', error);
    }
  }
}

const isFaultOfKey = (error: unknown): boolean =>
  error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException;
