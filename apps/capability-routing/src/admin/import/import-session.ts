import type { ValidationDetail } from '@capability-router/contracts';
import type { ParsedRow, Row } from '@capability-router/provider-kit/documents';
import { takenAnswer } from '../admin-answers.js';
import type { CapabilityOutcome } from '../apply-capabilities.js';
import { readCapability, type WrittenCapability } from '../manifest/read-capability.js';

/** Faults that the report lists of one row. */
const MAX_ROW_DETAILS = 10;

export interface ReportLine {
  readonly row: number;
  readonly line: number;
  readonly capability_id?: string;
  readonly result: string;
  readonly [member: string]: unknown;
}

type Place = Pick<Row, 'row' | 'line'>;
type Item = Place & { readonly capability: WrittenCapability };

/** The rows of one import: which wait to be written, and how many became what. */
export class ImportSession {
  rows = 0;
  readonly counts: Record<string, number> = {};
  /** The row in which each capability was. */
  private readonly seen = new Map<string, number>();
  private items: Item[] = [];

  get waiting(): number {
    return this.items.length;
  }

  /** Takes a row in; gives what is to be reported of it at once. */
  add({ row, line }: Row, content: ParsedRow): ReportLine[] {
    this.rows += 1;
    if ('fault' in content) return [this.invalid({ row, line }, [content.fault])];
    const read = readCapability(content.document, []);
    if (!read.ok) return [this.invalid({ row, line }, read.error)];
    const { capabilityId } = read.value.manifest;
    const before = this.seen.get(capabilityId);
    if (before !== undefined) {
      const detail = { type: 'value_error', loc: ['capability_id'], msg: `Row ${before} has the same id` };
      return [this.invalid({ row, line }, [detail], capabilityId)];
    }
    this.seen.set(capabilityId, row);
    this.items.push({ row, line, capability: read.value });
    return [];
  }

  /** The contracts that wait to be written. */
  take(): Item[] {
    const { items } = this;
    this.items = [];
    return items;
  }

  /** A line for each item, in their order. */
  report(items: readonly Item[], outcomes: readonly CapabilityOutcome[]): ReportLine[] {
    return outcomes.flatMap((outcome, index) => {
      const item = items[index];
      if (item === undefined) return [];
      const { capabilityId, result } = outcome;
      if (outcome.result === 'invalid') return [this.invalid(item, outcome.details, capabilityId)];
      const place = { row: item.row, line: item.line, capability_id: capabilityId };
      if (outcome.result !== 'refused') return [this.count({ ...place, ...takenAnswer(outcome) })];
      const { message, details = [] } = outcome;
      const breaks = details.slice(0, MAX_ROW_DETAILS).map(({ loc, msg }) => `${String(loc[1])}: ${msg}`);
      return [this.count({ ...place, result, message, ...(breaks.length === 0 ? {} : { breaks }) })];
    });
  }

  private invalid({ row, line }: Place, details: readonly ValidationDetail[], capabilityId?: string): ReportLine {
    const named = capabilityId === undefined ? {} : { capability_id: capabilityId };
    return this.count({ row, line, ...named, result: 'invalid', details: details.slice(0, MAX_ROW_DETAILS) });
  }

  private count(line: ReportLine): ReportLine {
    this.counts[line.result] = (this.counts[line.result] ?? 0) + 1;
    return line;
  }
}
