import type { AccountId } from '@capability-router/kernel';

/** Downloads of this process at once: fewer than connections to a store, so that writes always find one. */
const MAX_DOWNLOADS = 64;
/** Downloads at once of one account's results, whoever has its links. */
const MAX_DOWNLOADS_PER_ACCOUNT = 8;

/** Readers that take their time hold a file or a connection each. */
export class DownloadBounds {
  private readonly ofAccounts = new Map<AccountId, number>();
  private all = 0;

  /** Gives the function to be called once the download has ended; undefined where there are too many. */
  enter(accountId: AccountId): (() => void) | undefined {
    const own = this.ofAccounts.get(accountId) ?? 0;
    if (this.all >= MAX_DOWNLOADS || own >= MAX_DOWNLOADS_PER_ACCOUNT) return undefined;
    this.all += 1;
    this.ofAccounts.set(accountId, own + 1);
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.all -= 1;
      const left = (this.ofAccounts.get(accountId) ?? 1) - 1;
      if (left === 0) this.ofAccounts.delete(accountId);
      else this.ofAccounts.set(accountId, left);
    };
  }
}
