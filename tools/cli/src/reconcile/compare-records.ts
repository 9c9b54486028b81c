import { isBillable, type Difference, type DifferenceKind, type EntryFacts, type SourceRecord } from './records.js';

type Of<S extends SourceRecord['source']> = Extract<SourceRecord, { readonly source: S }>;

/** Compares what the sources that were read say of one id. An empty list: they agree. `topic`: it was read. */
export function compareRecords(
  id: string,
  records: readonly SourceRecord[],
  options: { topic: boolean },
): Difference[] {
  const accountId = records[0]?.accountId ?? '';
  const differences: Difference[] = [];
  const add = (kind: DifferenceKind, detail: string): void => {
    differences.push({ kind, id, accountId, detail });
  };
  const accounts = new Set(records.map((record) => record.accountId));
  if (accounts.size > 1) {
    const said = records.map((record) => `${record.source} ${record.accountId}`);
    add('charge_differs', `the sources name different accounts: ${[...new Set(said)].join(', ')}`);
  }
  if (isBillable(id)) compareBillable(records, add);
  if (options.topic) comparePublished(records, add);
  return differences;
}

type Add = (kind: DifferenceKind, detail: string) => void;

function compareBillable(records: readonly SourceRecord[], add: Add): void {
  const ends = of(records, 'execution');
  const settlements = distinct(of(records, 'settlement'));
  const charges = of(records, 'ledger');
  const rows = of(records, 'audit');
  const [end] = ends;
  if (end === undefined) add('execution_unknown', `${sources(records)} have it, its owner does not know that it ended`);
  if (ends.length > 1) add('ended_twice', `it ended ${ends.length} times`);
  const [settlement, another] = settlements;
  if (settlement === undefined) {
    if (end !== undefined) add('not_settled', 'it ended, and was not settled');
    if (charges.length > 0) add('charged_without_settlement', `the ledger has ${charges.map(entryText).join(', ')}`);
  } else {
    if (another !== undefined) add('settlement_differs', `it was settled ${settlements.length} times, differently`);
    if (end !== undefined && end.requested !== settlement.requested) {
      add('settlement_differs', `it asked for ${end.requested}, the settlement says ${settlement.requested}`);
    }
    compareCharge(settlement, charges, add);
  }
  compareAudit(end, settlement, rows, add);
}

function compareCharge(settlement: Of<'settlement'>, charges: readonly Of<'ledger'>[], add: Add): void {
  const { requested, settled, covered, status, entryId } = settlement;
  // Nothing is owed without being settled, covered by the daily allowance, or queued as uncollected.
  const owed = status === 'uncollected' ? 0n : requested;
  if (settled + covered !== owed || (status !== 'settled' && settled !== 0n)) {
    const allowance = covered === 0n ? '' : ` and ${covered} covered by the daily allowance`;
    add('settlement_differs', `${status} with ${settled}${allowance} of ${requested}`);
  }
  const [charge] = charges;
  if (charges.length > 1) add('charged_twice', `the ledger has ${charges.map(entryText).join(', ')}`);
  else if (charge === undefined) {
    if (settled > 0n)
      add('not_charged', `${settled} was settled as ${entryId ?? 'no entry'}, which is not in the ledger`);
  } else if (-charge.entry.amount !== settled || charge.entry.entryId !== entryId) {
    add('charge_differs', `${settled} was settled as ${entryId ?? 'no entry'}, the ledger has ${entryText(charge)}`);
  }
}

function compareAudit(
  end: Of<'execution'> | undefined,
  settlement: Of<'settlement'> | undefined,
  rows: readonly Of<'audit'>[],
  add: Add,
): void {
  const [row] = rows;
  if (end?.audited === false) {
    if (row !== undefined) add('audit_unexpected', 'it was not dispatched, and has an audit row all the same');
    return;
  }
  if (row === undefined) {
    add('audit_missing', 'it has no audit row');
    return;
  }
  if (rows.length > 1) add('audit_twice', `it has ${rows.length} audit rows`);
  if (end !== undefined && row.requested !== end.requested) {
    add('audit_differs', `it asked for ${end.requested}, its audit row says ${row.requested ?? 'nothing'}`);
  }
  const { audited, due, booked } = row.refunds ?? { audited: 0n, due: 0n, booked: 0n };
  // The audit hears of a refund after it was booked; what is on its way is no difference.
  if (audited < due || audited > booked) {
    add('audit_differs', `${booked} of it was refunded, its audit row says ${audited}`);
  }
  if (settlement === undefined) return;
  if (row.settled !== settlement.settled || row.entryId !== settlement.entryId) {
    const said =
      row.settled === null ? 'waits for a settlement' : `says ${row.settled} as ${row.entryId ?? 'no entry'}`;
    add(
      'audit_differs',
      `${settlement.settled} was settled as ${settlement.entryId ?? 'no entry'}, its audit row ${said}`,
    );
  }
}

function comparePublished(records: readonly SourceRecord[], add: Add): void {
  const published = new Map<string, EntryFacts>();
  for (const { entry } of of(records, 'topic')) {
    const before = published.get(entry.entryId);
    // Published again after a crash, an entry is the same.
    if (before !== undefined && !sameEntry(before, entry))
      add('topic_differs', `${entry.entryId} was published twice, differently`);
    published.set(entry.entryId, entry);
  }
  for (const record of of(records, 'ledger')) {
    const there = published.get(record.entry.entryId);
    if (there === undefined) add('topic_missing', `${entryText(record)} was not published`);
    else if (!sameEntry(there, record.entry)) {
      add('topic_differs', `the ledger has ${entryText(record)}, published was ${entryText({ entry: there })}`);
    }
    published.delete(record.entry.entryId);
  }
  for (const entry of published.values()) {
    add('topic_unknown', `${entryText({ entry })} was published, and is not in the ledger`);
  }
}

function of<S extends SourceRecord['source']>(records: readonly SourceRecord[], source: S): Of<S>[] {
  return records.filter((record): record is Of<S> => record.source === source);
}

/** Settlements come from a topic: one that was delivered twice is one. */
function distinct(settlements: readonly Of<'settlement'>[]): Of<'settlement'>[] {
  const keyed = settlements.map((s) => [`${s.requested} ${s.settled} ${s.status} ${s.entryId ?? ''}`, s] as const);
  return [...new Map(keyed).values()];
}

const sameEntry = (a: EntryFacts, b: EntryFacts): boolean =>
  a.entryType === b.entryType && a.amount === b.amount && a.hash === b.hash;

const entryText = ({ entry }: { readonly entry: EntryFacts }): string =>
  `${entry.entryId} (${entry.entryType}, ${entry.amount})`;

const sources = (records: readonly SourceRecord[]): string =>
  [...new Set(records.map((record) => record.source))].join(', ');
