import type { SpilledRow } from '@capability-router/billing/books';
import type { AuditedRefunds, SourceRecord } from './records.js';

/** A record as a line of a temporary file. */
export function toSpilled(id: string, record: SourceRecord): SpilledRow {
  const { source, accountId } = record;
  switch (source) {
    case 'execution':
      return [id, source, accountId, `${record.requested}`, record.audited];
    case 'settlement':
      return [
        id,
        source,
        accountId,
        `${record.requested}`,
        `${record.settled}`,
        record.status,
        record.entryId,
        `${record.covered}`,
      ];
    case 'ledger':
    case 'topic': {
      const { entryId, entryType, amount, hash } = record.entry;
      return [id, source, accountId, entryId, entryType, `${amount}`, hash];
    }
    case 'audit':
      return [
        id,
        source,
        accountId,
        textOf(record.requested),
        textOf(record.settled),
        record.entryId,
        ...(record.refunds === undefined ? [] : refundCells(record.refunds)),
      ];
  }
}

export function fromSpilled(row: SpilledRow): SourceRecord {
  const [, source, account, a, b, c, ...rest] = row;
  const [d, e] = rest;
  const accountId = String(account);
  switch (source) {
    case 'execution':
      return { source, accountId, requested: BigInt(a ?? 0), audited: b === true };
    case 'settlement':
      return {
        source,
        accountId,
        requested: BigInt(a ?? 0),
        settled: BigInt(b ?? 0),
        covered: BigInt(e ?? 0),
        status: String(c),
        entryId: textOrNull(d),
      };
    case 'ledger':
    case 'topic':
      return {
        source,
        accountId,
        entry: { entryId: String(a), entryType: String(b), amount: BigInt(c ?? 0), hash: String(d) },
      };
    case 'audit':
      return {
        source,
        accountId,
        requested: amountOrNull(a),
        settled: amountOrNull(b),
        entryId: textOrNull(c),
        ...(rest.length === 0 ? {} : { refunds: refundsOf(rest) }),
      };
    default:
      throw new Error(`there is no source ${String(source)}`);
  }
}

type Cell = SpilledRow[number] | undefined;

const refundCells = ({ audited, due, booked }: AuditedRefunds): string[] => [`${audited}`, `${due}`, `${booked}`];
const refundsOf = ([audited = 0, due = 0, booked = 0]: readonly (
  | string
  | number
  | boolean
  | null
)[]): AuditedRefunds => ({
  audited: BigInt(audited ?? 0),
  due: BigInt(due ?? 0),
  booked: BigInt(booked ?? 0),
});

const textOf = (amount: bigint | null): string | null => (amount === null ? null : amount.toString());
const textOrNull = (cell: Cell): string | null => (typeof cell === 'string' ? cell : null);
const amountOrNull = (cell: Cell): bigint | null => (typeof cell === 'string' ? BigInt(cell) : null);
