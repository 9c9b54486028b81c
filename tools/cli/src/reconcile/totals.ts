import { chargeTypes } from '@capability-router/billing/books';
import { isBillable, type SourceRecord } from './records.js';

export interface Total {
  count: number;
  /** In micro-credits, signed as in the ledger. */
  amount: bigint;
}

/** The totals of one entry type by source. `audit` and `executions` know charges only. */
export interface TypeTotals {
  readonly ledger: Total;
  readonly topic: Total;
  readonly audit: Total;
  readonly executions: Total;
}

const none = (): Total => ({ count: 0, amount: 0n });

/** Counts and sums per entry type, as each source has them. */
export class Totals {
  private readonly types = new Map<string, TypeTotals>();
  /** Executions, billed searches and imported model calls that ended. */
  ended = 0;
  settled = 0;
  uncollected = 0;
  /** By the daily free allowance: neither the ledger nor the audit has an amount of them. */
  covered = 0;

  add(id: string, records: readonly SourceRecord[]): void {
    const uncollected = records.some((record) => record.source === 'settlement' && record.status === 'uncollected');
    const covered = records.some((record) => record.source === 'settlement' && record.covered > 0n);
    const published = new Set<string>();
    const ownType = chargeTypeOf(id);
    for (const record of records) {
      switch (record.source) {
        case 'ledger':
          count(this.of(record.entry.entryType).ledger, record.entry.amount);
          break;
        case 'topic':
          if (!published.has(record.entry.entryId)) count(this.of(record.entry.entryType).topic, record.entry.amount);
          published.add(record.entry.entryId);
          break;
        case 'audit':
          if ((record.settled ?? 0n) > 0n) count(this.of(ownType).audit, -(record.settled ?? 0n));
          break;
        case 'execution':
          this.ended += 1;
          if (record.requested > 0n && !uncollected && !covered) count(this.of(ownType).executions, -record.requested);
          break;
        case 'settlement':
          break;
      }
    }
    if (isBillable(id) && records.some((record) => record.source === 'settlement')) this.settled += 1;
    if (uncollected) this.uncollected += 1;
    if (covered) this.covered += 1;
  }

  byType(): [string, TypeTotals][] {
    return [...this.types].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  private of(entryType: string): TypeTotals {
    let totals = this.types.get(entryType);
    if (totals === undefined) {
      totals = { ledger: none(), topic: none(), audit: none(), executions: none() };
      this.types.set(entryType, totals);
    }
    return totals;
  }
}

function count(total: Total, amount: bigint): void {
  total.count += 1;
  total.amount += amount;
}

const typesByPrefix = new Map<string, string>(chargeTypes.map(({ idPrefix, entryType }) => [idPrefix, entryType]));

const chargeTypeOf = (id: string): string => typesByPrefix.get(id.slice(0, id.indexOf('_'))) ?? 'consume_tool_execute';

/** The types of which the audit and the executions have something to say. */
export const isCharge = (entryType: string): boolean => chargeTypes.some((charge) => charge.entryType === entryType);
