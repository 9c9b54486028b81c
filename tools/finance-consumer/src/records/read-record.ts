import type { Column } from '@capability-router/contracts';

/** `null`: absent. Amounts are micro-credits; instants keep the text that was published. */
export type Cell = string | number | bigint | boolean | null;

export type ReadRecord =
  | { readonly kind: 'record'; readonly cells: ReadonlyMap<string, Cell> }
  /** A type of event that this build does not know: passed over, as the contract asks. */
  | { readonly kind: 'unknown-type' }
  | { readonly kind: 'malformed'; readonly detail: string };

const AMOUNT = /^(0|-?[1-9][0-9]{0,18})$/;

/** The members that columns name, by name; members that they do not name are passed over. */
export function readRecord(
  columns: readonly Column[],
  eventType: string,
  record: { readonly type: string | undefined; readonly value: Buffer | null },
): ReadRecord {
  if (record.type === undefined) return { kind: 'malformed', detail: 'there is no ce_type header' };
  if (record.type !== eventType) return { kind: 'unknown-type' };
  const value = parseObject(record.value);
  if (value === undefined) return { kind: 'malformed', detail: 'the value is not a JSON object' };
  const cells = new Map<string, Cell>();
  for (const column of columns) {
    const cell = readCell(column, value[column.member]);
    if (cell === undefined) return { kind: 'malformed', detail: `${column.member} is not what the contract says` };
    cells.set(column.member, cell);
  }
  return { kind: 'record', cells };
}

function readCell({ kind, required }: Column, value: unknown): Cell | undefined {
  if (value === undefined) return required ? undefined : null;
  if (kind === 'amount') return typeof value === 'string' && AMOUNT.test(value) ? BigInt(value) : undefined;
  if (kind === 'number') return Number.isSafeInteger(value) ? (value as number) : undefined;
  if (kind === 'flag') return typeof value === 'boolean' ? value : undefined;
  if (kind === 'json') return typeof value === 'object' && value !== null ? JSON.stringify(value) : undefined;
  if (typeof value !== 'string') return undefined;
  return kind === 'instant' && Number.isNaN(Date.parse(value)) ? undefined : value;
}

function parseObject(value: Buffer | null): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(value?.toString('utf8') ?? '');
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
