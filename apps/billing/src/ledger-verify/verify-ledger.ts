import { topicNames } from '@capability-router/contracts';
import type pg from 'pg';
import { LedgerStateBuilder, type AccountHead, type LedgerRoot } from '../ledger-roots/ledger-root.js';
import { rootsWrittenSince } from '../ledger-roots/ledger-roots.sql.js';
import { Findings, type Finding } from './findings.js';
import { Spill } from './spill.js';
import { verifyChains, type AccountRange, type ChainVisitor } from './verify-chains.js';
import { verifyHeads } from './verify-heads.js';
import { comparePublishedRoots, compareState, verifyRootTable } from './verify-roots.js';
import { compareEntries, readPublishedRoots, spillEntry, spillRecord, type Topics } from './verify-topic.js';
import { publishedUpTo, unpublishedRoots } from './verify-topic.sql.js';

export interface VerifyOptions extends AccountRange {
  /** Reads the topics; absent where the deployment has no broker, or where nothing is to be looked up there. */
  readonly topics?: Topics | undefined;
  readonly onProgress?: ChainVisitor['onProgress'];
}

export interface VerifyReport {
  readonly sound: boolean;
  readonly accounts: number;
  readonly entries: number;
  readonly heads: number;
  /** Null: there is none yet. */
  readonly root: { readonly rootSeq: string; readonly ledgerDate: string; readonly computedAt: string } | null;
  /** False: the ledger was not read whole, or there is no root. */
  readonly rootChecked: boolean;
  /** Null: the topics were not read. */
  readonly topic: {
    readonly records: number;
    readonly roots: number;
    /** Entries that the relay has yet to publish. */
    readonly unpublished: number;
    readonly malformed: number;
    /** Old records are no longer there: entries before them were not compared. */
    readonly expired: boolean;
  } | null;
  readonly findingCount: number;
  /** The first ones; of each account the first broken row of each check. */
  readonly findings: readonly Finding[];
}

/**
 * Checks the whole ledger while the service runs: chains from genesis, heads and balances, the last root, and what was
 * published. Rows that are written meanwhile are never findings. Memory does not grow with the ledger: what is compared
 * with the topic goes through temporary files.
 */
export async function verifyLedger(pool: pg.Pool, options: VerifyOptions = {}): Promise<VerifyReport> {
  const findings = new Findings();
  const onFinding = (finding: Finding): void => findings.add(finding);
  const whole = options.from === undefined && options.only === undefined;
  const stored: LedgerRoot[] = [];
  const root = await verifyRootTable(pool, onFinding, (found) => stored.push(found));
  const builder = root !== undefined && whole ? new LedgerStateBuilder() : undefined;
  const spill = options.topics === undefined ? undefined : await Spill.open();
  try {
    const ledgerPublished = await publishedUpTo(pool, 'ledger');
    const eventsPublished = await publishedUpTo(pool, 'events');
    const walked = await verifyChains(pool, options, {
      onFinding,
      ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
      ...(builder === undefined || root === undefined
        ? {}
        : { cut: { cut: root.cut, onHead: adding(builder, onFinding) } }),
      onRows: async (rows) => {
        if (spill !== undefined) for (const row of rows) await spillEntry(spill, row, ledgerPublished);
      },
    });
    const heads = await verifyHeads(pool, options, onFinding);
    if (builder !== undefined && root !== undefined) compareState(root, builder.state()).forEach(onFinding);
    const topic =
      spill === undefined || options.topics === undefined
        ? null
        : await verifyTopics(pool, options, options.topics, spill, { stored, eventsPublished, onFinding });
    return {
      sound: findings.count === 0,
      ...walked,
      heads,
      root:
        root === undefined
          ? null
          : { rootSeq: root.rootSeq.toString(), ledgerDate: root.ledgerDate, computedAt: root.computedAt },
      rootChecked: builder !== undefined,
      topic,
      findingCount: findings.count,
      findings: findings.listed,
    };
  } finally {
    await spill?.close();
  }
}

/** An id that is none of ours can break the order of the tree, which then has no root at all. */
function adding(builder: LedgerStateBuilder, onFinding: (finding: Finding) => void): (head: AccountHead) => void {
  return (head) => {
    try {
      builder.add(head);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      onFinding({ kind: 'inserted', accountId: head.accountId, sequence: null, entryId: null, detail });
    }
  };
}

async function verifyTopics(
  pool: pg.Pool,
  range: AccountRange,
  reader: Topics,
  spill: Spill,
  known: {
    readonly stored: readonly LedgerRoot[];
    readonly eventsPublished: string;
    readonly onFinding: (finding: Finding) => void;
  },
): Promise<VerifyReport['topic']> {
  const { stored, eventsPublished, onFinding } = known;
  const mayLack = await unpublishedRoots(pool, eventsPublished);
  const roots = await readPublishedRoots(reader);
  // Roots of the time between the two reads are not in `stored`.
  const upTo = Number(stored.at(-1)?.rootSeq ?? 0n);
  const written = await rootsWrittenSince(pool, upTo);
  const compared = new Map([...roots].filter(([sequence]) => !written.has(sequence)));
  comparePublishedRoots(stored, compared, ({ rootSeq }) => mayLack.has(Number(rootSeq))).forEach(onFinding);
  const read = await reader.read(topicNames.ledgerEntries, {
    handle: (event) => {
      const { partitionKey } = event;
      if (range.only !== undefined && partitionKey !== range.only) return;
      if (range.from !== undefined && partitionKey < range.from) return;
      return spillRecord(spill, event);
    },
  });
  const { unpublished } = await compareEntries(pool, spill, read.expired, onFinding);
  return { records: read.events, roots: roots.size, unpublished, malformed: read.malformed, expired: read.expired };
}
