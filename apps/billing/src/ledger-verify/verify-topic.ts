import {
  topicNames,
  type EventEnvelope,
  type LedgerEntryRecorded,
  type LedgerRootRecorded,
} from '@capability-router/contracts';
import type { TopicReader } from '@capability-router/event-bus/kafka';
import { comparePositions, formatPosition, type Position } from '@capability-router/event-store';
import type pg from 'pg';
import type { WalkedRow } from './chain-walker.js';
import type { Finding } from './findings.js';
import type { Spill, SpilledRow } from './spill.js';
import { readEntriesAt } from './verify-topic.sql.js';

/** Reads the topics of the deployment. */
export type Topics = Pick<TopicReader, 'read'>;

const LEDGER = 'ledger';
const TOPIC = 'topic';

/** One entry, as the ledger or the topic has it. */
interface Side {
  readonly sequence: bigint;
  readonly entryId: string;
  readonly hash: string;
  readonly amount: string;
  readonly entryType: string;
  /** True of an entry of the ledger that the relay has passed. */
  readonly published: boolean;
}

export function spillEntry(spill: Spill, row: WalkedRow, published: Position): Promise<void> {
  const passed = published !== '' && comparePositions(formatPosition(row.tx_order, row.position), published) <= 0;
  return spill.add([
    row.account_id,
    LEDGER,
    row.entry_seq,
    row.entry_id,
    row.hash,
    row.amount_micro,
    row.entry_type,
    passed,
  ]);
}

export function spillRecord(spill: Spill, event: EventEnvelope): Promise<void> {
  const entry = event.data as unknown as LedgerEntryRecorded;
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
  return spill.add([
    text(entry.accountId),
    TOPIC,
    text(entry.entrySeq),
    text(entry.entryId),
    text(entry.hash),
    text(entry.amountMicroCredits),
    text(entry.entryType),
    true,
  ]);
}

/** Every root that was published, by `rootSeq`; one a day. */
export async function readPublishedRoots(reader: Topics): Promise<Map<number, LedgerRootRecorded>> {
  const roots = new Map<number, LedgerRootRecorded>();
  await reader.read(topicNames.ledgerRoots, {
    handle: (event) => {
      const root = event.data as unknown as LedgerRootRecorded;
      if (!roots.has(root.rootSeq)) roots.set(root.rootSeq, root);
    },
  });
  return roots;
}

/** Names, for each account, the first place where ledger and topic differ. `expired`: old records were deleted. */
export async function compareEntries(
  pool: pg.Pool,
  spill: Spill,
  expired: boolean,
  onFinding: (finding: Finding) => void,
): Promise<{ unpublished: number }> {
  let unpublished = 0;
  for await (const accounts of spill.groups()) {
    for (const [accountId, rows] of accounts) {
      const result = await compareAccount(pool, accountId, rows, expired);
      unpublished += result.unpublished;
      if (result.finding !== undefined) onFinding(result.finding);
    }
  }
  return { unpublished };
}

async function compareAccount(
  pool: pg.Pool,
  accountId: string,
  rows: readonly SpilledRow[],
  expired: boolean,
): Promise<{ finding?: Finding; unpublished: number }> {
  const ledger = rows
    .filter((row) => row[1] === LEDGER)
    .map(toSide)
    .sort(bySequence);
  const topic = rows
    .filter((row) => row[1] === TOPIC)
    .map(toSide)
    .sort(bySequence);
  const found = (kind: Finding['kind'], side: Side, detail: string) => ({
    finding: { kind, accountId, sequence: side.sequence.toString(), entryId: side.entryId, detail },
    unpublished: 0,
  });
  const published = new Map<bigint, Side>();
  for (const record of topic) {
    const other = published.get(record.sequence);
    // A relay that dies publishes its last batch again: an equal record is the same one.
    if (other !== undefined && !equal(other, record)) {
      return found(
        'topic',
        record,
        `${record.sequence} was published as ${describe(other)} and as ${describe(record)}`,
      );
    }
    published.set(record.sequence, record);
  }
  const last = topic.at(-1)?.sequence ?? 0n;
  const first = topic[0]?.sequence ?? 0n;
  let unpublished = 0;
  const inLedger = new Set<bigint>();
  for (const entry of ledger) {
    inLedger.add(entry.sequence);
    const record = published.get(entry.sequence);
    if (record === undefined) {
      if (expired && (entry.sequence < first || topic.length === 0)) continue;
      if (entry.published || entry.sequence < last) {
        return found('inserted', entry, `${describe(entry)} was never published`);
      }
      unpublished += 1;
    } else if (!equal(entry, record)) {
      return found('topic', entry, `the ledger has ${describe(entry)}, published was ${describe(record)}`);
    }
  }
  const gone = [...published.values()].filter((record) => !inLedger.has(record.sequence));
  const [lost] = await notWrittenSince(pool, accountId, gone);
  if (lost !== undefined) return found('missing', lost, `${describe(lost)} was published and is not in the ledger`);
  return { unpublished };
}

/** Records that were published but not read from the ledger may have been written after that read. */
async function notWrittenSince(pool: pg.Pool, accountId: string, records: readonly Side[]): Promise<readonly Side[]> {
  if (records.length === 0) return [];
  const rows = await readEntriesAt(
    pool,
    accountId,
    records.map((record) => record.sequence),
  );
  const written = new Map(rows.map((row) => [BigInt(row.entry_seq), row]));
  return records.filter((record) => {
    const row = written.get(record.sequence);
    return row?.hash !== record.hash || row.entry_id !== record.entryId;
  });
}

function toSide([, , sequence, entryId, hash, amount, entryType, published]: SpilledRow): Side {
  return {
    sequence: BigInt(sequence ?? 0),
    entryId: String(entryId),
    hash: String(hash),
    amount: String(amount),
    entryType: String(entryType),
    published: published === true,
  };
}

const bySequence = (a: Side, b: Side): number => (a.sequence < b.sequence ? -1 : a.sequence > b.sequence ? 1 : 0);

function equal(a: Side, b: Side): boolean {
  return a.entryId === b.entryId && a.hash === b.hash && a.amount === b.amount && a.entryType === b.entryType;
}

const describe = (side: Side): string =>
  `${side.entryId} (${side.entryType}, ${side.amount} micro-credits, hash ${side.hash})`;
