import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContextName } from '@capability-router/contracts';
import {
  attachServices,
  quickRecovery,
  readRunningStack,
  startServices,
  startStack,
  stopStack,
  type RunningServices,
  type ServiceEnvironment,
  type StackState,
} from '@capability-router/tools-stack';
import { Books } from './books.js';
import { openAccounts, type LoadAccount } from './load.js';
import { PublishedEntries } from './published-entries.js';

/** Milliseconds for the start or the end of all services, on a busy machine too. */
export const HOOK_TIMEOUT_MS = 300_000;
const CREDITS = 10_000;

/** `execution 0`. */
type ReplicaName = `${ContextName} ${number}`;
/** How a replica has to stand: stopped, or running with these variables over the usual ones. */
type Standing = 'stopped' | ServiceEnvironment;

/**
 * Two replicas of each service on the real stack, and what reads their books. The spec files share the replicas, which are
 * stopped and started by what a scenario asks for. A spec file that runs alone starts them itself, and stops them.
 */
export class Stand {
  /** Milliseconds since the epoch: what began earlier is another's. */
  readonly sinceMs = Date.now();
  readonly accounts: LoadAccount[] = [];

  private constructor(
    readonly stack: StackState,
    readonly services: RunningServices,
    private readonly stopServices: () => Promise<void>,
    readonly books: Books,
    readonly published: PublishedEntries,
  ) {}

  static async open(): Promise<Stand> {
    const stack = readRunningStack();
    const shared = attachServices(stack);
    const services = shared ?? (await startServices(quickRecovery(stack)));
    const stop = shared === undefined ? () => services.stop() : async () => undefined;
    return new Stand(stack, services, stop, new Books(stack), await PublishedEntries.listen(stack));
  }

  /** On a stack of its own, which nobody else needs afterwards. */
  static async alone(): Promise<Stand> {
    const scratch = await mkdtemp(join(tmpdir(), 'stand-'));
    const directory = join(scratch, 'stack');
    const stop = async (): Promise<void> => {
      await stopStack({ directory });
      await rm(scratch, { recursive: true, force: true });
    };
    try {
      const stack = await startStack({ directory });
      const services = await startServices(quickRecovery(stack));
      return new Stand(stack, services, stop, new Books(stack), await PublishedEntries.listen(stack));
    } catch (error) {
      await stop();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.published.close(), this.books.close()]);
    await this.stopServices();
  }

  get origins(): readonly string[] {
    return this.services.gatewayUrls;
  }

  get origin(): string {
    return this.origins[0] ?? '';
  }

  /** Accounts with credits of their own, which nothing else calls with. */
  async openAccounts(count: number, credits = CREDITS): Promise<LoadAccount[]> {
    const accounts = await openAccounts(this.origin, this.services.accounts.admin_key, count, credits);
    this.accounts.push(...accounts);
    return accounts;
  }

  /**
   * Resolves when every replica stands as it is told here; one that is not named runs with the usual variables. Only what
   * stands otherwise is stopped and started, all of it at once.
   */
  async arrange(standings: Readonly<Partial<Record<ReplicaName, Standing>>> = {}): Promise<void> {
    await Promise.all(
      this.services.replicas.map(async (replica) => {
        const standing = standings[`${replica.name} ${replica.index}`] ?? {};
        if (standing === 'stopped') return replica.stop();
        if (replica.runsWith(standing)) return;
        await replica.stop();
        await replica.start(standing);
      }),
    );
  }
}

/** Variables of a replica that sends itself SIGKILL at a point once it has passed it so often. */
export function dying(point: string, passages: number, more: ServiceEnvironment = {}): ServiceEnvironment {
  return { FAULTS_ENABLED: 'true', FAULT_POINT: point, FAULT_AFTER_CALLS: String(passages), ...more };
}
