import type { Bill, PriceRule, SettlementState } from '@capability-router/contracts';

/** By type of a column: what the projection writes, and what the driver reads. */
interface SqlValues {
  readonly uuid: { readonly written: string; readonly read: string };
  readonly text: { readonly written: string; readonly read: string };
  readonly boolean: { readonly written: boolean; readonly read: boolean };
  readonly integer: { readonly written: number; readonly read: number };
  readonly 'double precision': { readonly written: number; readonly read: number };
  /** A decimal string: amounts are micro-credits. */
  readonly bigint: { readonly written: string; readonly read: string };
  /** Written in ISO 8601. */
  readonly 'timestamp with time zone': { readonly written: string; readonly read: Date };
  readonly jsonb: { readonly written: unknown; readonly read: unknown };
}

/** Values of which more is known than their type. */
interface KnownValues {
  readonly billing_rule: PriceRule;
  readonly bill: Bill;
  readonly settlement_status: SettlementState;
}

interface UsageColumn {
  readonly type: keyof SqlValues;
  /**
   * The source that fills it: the projection itself, the fact of the call, its settlement, its revision, or the schema
   * by a rule.
   */
  readonly from: 'key' | 'fact' | 'settlement' | 'revision' | 'schema';
  /** Never null in a row that is recorded. */
  readonly always?: true;
}

/**
 * The columns of `usage_events`, once: rows that are written and rows that are read are typed from here, the statements
 * of projection and rebuild list what stands here, and the cells of the export name nothing else.
 */
export const usageColumns = {
  id: { type: 'uuid', from: 'key', always: true },
  account_id: { type: 'text', from: 'key', always: true },
  effective_at: { type: 'timestamp with time zone', from: 'key', always: true },
  recorded: { type: 'boolean', from: 'schema', always: true },
  record_seq: { type: 'bigint', from: 'fact' },
  event_type: { type: 'text', from: 'fact', always: true },
  source_system: { type: 'text', from: 'fact', always: true },
  source_ref_type: { type: 'text', from: 'fact', always: true },
  source_ref_id: { type: 'text', from: 'fact', always: true },
  session_id: { type: 'text', from: 'fact' },
  search_id: { type: 'text', from: 'fact' },
  execution_id: { type: 'text', from: 'fact' },
  tool_id: { type: 'text', from: 'fact' },
  provider_id: { type: 'text', from: 'fact' },
  api_key_id: { type: 'text', from: 'fact' },
  oauth_client_id: { type: 'text', from: 'fact' },
  project_id: { type: 'text', from: 'fact' },
  trace_id: { type: 'text', from: 'fact' },
  credential_type: { type: 'text', from: 'fact' },
  model: { type: 'text', from: 'fact' },
  success: { type: 'boolean', from: 'fact', always: true },
  transport_success: { type: 'boolean', from: 'fact' },
  provider_success: { type: 'boolean', from: 'fact' },
  result_valid: { type: 'boolean', from: 'fact' },
  billable_success: { type: 'boolean', from: 'fact' },
  outcome: { type: 'text', from: 'fact' },
  reason_code: { type: 'text', from: 'fact' },
  user_message: { type: 'text', from: 'fact' },
  error_message: { type: 'text', from: 'fact' },
  http_status_code: { type: 'integer', from: 'fact' },
  provider_status_code: { type: 'integer', from: 'fact' },
  valid_result_count: { type: 'integer', from: 'fact' },
  raw_result_count: { type: 'integer', from: 'fact' },
  chargeable_quantity: { type: 'double precision', from: 'fact' },
  retryable: { type: 'boolean', from: 'fact' },
  duration_ms: { type: 'double precision', from: 'fact' },
  billing_rule: { type: 'jsonb', from: 'fact' },
  bill: { type: 'jsonb', from: 'fact' },
  requested_micro: { type: 'bigint', from: 'fact', always: true },
  settlement_status: { type: 'text', from: 'settlement' },
  settled_micro: { type: 'bigint', from: 'settlement' },
  covered_micro: { type: 'bigint', from: 'settlement', always: true },
  ledger_entry_id: { type: 'text', from: 'settlement' },
  settled_at: { type: 'timestamp with time zone', from: 'settlement' },
  refunded_micro: { type: 'bigint', from: 'settlement', always: true },
  /** When it was reported that what had been a success was a failure. */
  revised_at: { type: 'timestamp with time zone', from: 'revision' },
  effective_micro: { type: 'bigint', from: 'schema', always: true },
  charge_outcome: { type: 'text', from: 'schema', always: true },
} as const satisfies Readonly<Record<string, UsageColumn>>;

type Columns = typeof usageColumns;
export type UsageColumnName = keyof Columns;
type ColumnFrom<F extends UsageColumn['from']> = {
  [C in UsageColumnName]: Columns[C]['from'] extends F ? C : never;
}[UsageColumnName];
export type KeyColumn = ColumnFrom<'key'>;
export type FactColumn = ColumnFrom<'fact'>;
export type SettlementColumn = ColumnFrom<'settlement'>;

type Value<C extends UsageColumnName, W extends 'written' | 'read'> = C extends keyof KnownValues
  ? KnownValues[C]
  : SqlValues[Columns[C]['type']][W];

/** The columns of a row that its fact fills. Settlement, refunds and revisions fill the others. */
export type UsageRow = { readonly [C in KeyColumn]: Value<C, 'written'> } & {
  readonly [C in FactColumn]?: Value<C, 'written'> | undefined;
};

/** A row that is recorded, as the driver reads it. */
export type RecordedUsage = {
  readonly [C in UsageColumnName]: Columns[C] extends { readonly always: true }
    ? Value<C, 'read'>
    : Value<C, 'read'> | null;
};

const columnsFrom = <F extends UsageColumn['from']>(from: F): readonly ColumnFrom<F>[] =>
  (Object.keys(usageColumns) as UsageColumnName[]).filter(
    (name): name is ColumnFrom<F> & UsageColumnName => usageColumns[name].from === from,
  );

/** In the order of the list. */
export const keyColumns = columnsFrom('key');
export const factColumns = columnsFrom('fact');
