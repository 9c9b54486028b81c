/** Ids remembered before the log starts over. */
const MAX_REVOKED_IDS = 10_000;

/**
 * Remembers when an account's or a key's credentials were revoked, as an epoch that only grows. An answer that was asked
 * for at an earlier epoch may predate the revocation and must not fill a cache.
 */
export class RevocationLog {
  private epoch = 0;
  private floor = 0;
  private readonly revokedAt = new Map<string, number>();

  constructor(private readonly maxIds: number = MAX_REVOKED_IDS) {}

  /** To be taken before a question is asked. */
  now(): number {
    return this.epoch;
  }

  record(id: string): void {
    this.epoch += 1;
    if (this.revokedAt.size >= this.maxIds && !this.revokedAt.has(id)) {
      // Forgetting makes every answer that is in flight count as outdated, which only costs asking again.
      this.revokedAt.clear();
      this.floor = this.epoch;
    }
    this.revokedAt.set(id, this.epoch);
  }

  /** May an answer about these ids, asked for at `epoch`, be outdated? */
  revokedSince(epoch: number, ...ids: (string | undefined)[]): boolean {
    if (epoch < this.floor) return true;
    return ids.some((id) => id !== undefined && (this.revokedAt.get(id) ?? 0) > epoch);
  }
}
