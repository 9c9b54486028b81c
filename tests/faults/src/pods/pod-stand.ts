import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assemble } from '@capability-router/tools-image';
import { startStack, stopStack, type StackState, type StartStackOptions } from '@capability-router/tools-stack';
import { expectAgreement } from '../aftermath.js';
import { Books } from '../books.js';
import { openAccounts, type LoadAccount } from '../load.js';
import { PublishedEntries } from '../published-entries.js';
import { SearchBooks } from '../search-books.js';
import type { Images } from './cluster.js';
import type { Release } from './release.js';
import { Traffic, TRAFFIC_ACCOUNTS } from './traffic.js';

/** The manifests run them; `operator` is the Job and the test. */
export const targets = ['gateway', 'registry', 'execution', 'capability-routing', 'billing', 'identity', 'operator'];
const CREDITS = 10_000;

/** Steps that undo what was started, to be taken last one first, whatever failed. */
export type Closers = (() => Promise<unknown>)[];

/** Images of this build, a stack of its own with empty databases, and what reads its books. */
export class PodStand {
  private readonly sinceMs = Date.now();
  private readonly accounts: LoadAccount[] = [];
  private published: PublishedEntries | undefined;

  private constructor(
    private readonly closers: Closers,
    /** A folder that is removed at the end. */
    readonly scratch: string,
    readonly images: Images,
    readonly stack: StackState,
    readonly books: Books,
    readonly searchBooks: SearchBooks,
  ) {}

  /** `kafkaListeners`: for pods that do not share the loopback interface. */
  static async open(
    closers: Closers,
    { kafkaListeners = [] }: Pick<StartStackOptions, 'kafkaListeners'> = {},
  ): Promise<PodStand> {
    const scratch = await mkdtemp(join(tmpdir(), 'rollout-'));
    closers.push(() => rm(scratch, { recursive: true, force: true }));
    const images: Images = (target) => join(scratch, target);
    for (const target of targets) await assemble(target, images(target));
    const directory = join(scratch, 'stack');
    closers.push(() => stopStack({ directory }));
    const stack = await startStack({ directory, migrations: false, kafkaListeners });
    const [books, searchBooks] = [new Books(stack), new SearchBooks(stack)];
    closers.push(
      () => books.close(),
      () => searchBooks.close(),
    );
    return new PodStand(closers, scratch, images, stack, books, searchBooks);
  }

  /** The first accounts of a release that runs, as the guide makes them, those of the traffic, and one more. */
  async openAccounts(
    release: Pick<Release, 'execute' | 'origin'>,
  ): Promise<{ traffic: Traffic; key: string; another: LoadAccount }> {
    const published = await PublishedEntries.listen(this.stack);
    this.closers.push(() => published.close());
    this.published = published;
    const first = JSON.parse(await release.execute('identity', ['first-accounts'])) as { admin_key: string };
    const [another, ...others] = await openAccounts(release.origin, first.admin_key, 1 + TRAFFIC_ACCOUNTS, CREDITS);
    if (another === undefined) throw new Error('no account was opened');
    this.accounts.push(another, ...others);
    return { traffic: new Traffic(release.origin, others), key: another.key, another };
  }

  async expectAgreement(): Promise<void> {
    const { books, published, accounts, sinceMs } = this;
    if (published === undefined) throw new Error('no accounts were opened');
    await expectAgreement({ books, published, accounts, sinceMs });
  }
}
