import { delay, type ServiceClient } from '@capability-router/service-kit';
import type { InitialGrant } from './account.js';
import { readBalances } from './read-balances.js';

/** Milliseconds that the answer to a new account waits for its first grant. */
const PATIENCE_MS = 2_000;
/** Milliseconds between questions while somebody waits for less than `SOON_MS`, since a grant is mostly booked by then. */
const SOON_POLL_MS = 20;
const SOON_MS = 300;
const LATE_POLL_MS = 160;
/** Accounts of one question. */
const MAX_ASKED = 100;

interface Waiter {
  readonly sinceMs: number;
  readonly tell: (isBooked: boolean) => void;
}

const watches = new WeakMap<ServiceClient, GrantWatch>();

/**
 * Waits until billing has booked what a new account starts with, so that its first request finds the credits. To be called
 * after the commit, before anybody knows a key of the account: nobody can have spent any of it. False: it is not booked
 * after two seconds, or billing does not answer, and comes later.
 */
export function awaitGrant(
  billing: ServiceClient,
  accountId: string,
  grant: Pick<InitialGrant, 'amount'>,
): Promise<boolean> {
  if (grant.amount === 0n) return Promise.resolve(true);
  const watch = watches.get(billing) ?? new GrantWatch(billing);
  watches.set(billing, watch);
  return watch.booked(accountId);
}

/** Asks billing about all accounts that are waited for together: as many questions however many they are. */
class GrantWatch {
  private readonly waiting = new Map<string, Waiter>();
  private isRunning = false;

  constructor(private readonly billing: ServiceClient) {}

  booked(accountId: string): Promise<boolean> {
    return new Promise((resolve) => {
      const lapse = setTimeout(() => this.waiting.get(accountId)?.tell(false), PATIENCE_MS);
      const tell = (isBooked: boolean): void => {
        clearTimeout(lapse);
        this.waiting.delete(accountId);
        resolve(isBooked);
      };
      this.waiting.set(accountId, { sinceMs: performance.now(), tell });
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.size > 0) {
      await delay(this.pollMs());
      const accountIds = [...this.waiting.keys()];
      for (let at = 0; at < accountIds.length; at += MAX_ASKED) await this.ask(accountIds.slice(at, at + MAX_ASKED));
    }
    this.isRunning = false;
  }

  private pollMs(): number {
    const soonMs = performance.now() - SOON_MS;
    return [...this.waiting.values()].some(({ sinceMs }) => sinceMs > soonMs) ? SOON_POLL_MS : LATE_POLL_MS;
  }

  /** Where billing is away nothing is told; it books the grants when it is back. */
  private async ask(accountIds: readonly string[]): Promise<void> {
    const balances = await readBalances(this.billing, accountIds);
    for (const accountId of accountIds) {
      if (BigInt(balances?.[accountId]?.balanceMicroCredits ?? '0') > 0n) this.waiting.get(accountId)?.tell(true);
    }
  }
}
