/** The field tables of summaries, feeds, readiness and settlement history, as checks. */
import { ledgerEntry, usageEventFields } from './audit-shapes.js';
import { executionId, ledgerId } from './common-shapes.js';
import {
  boolean,
  filledText,
  integer,
  listOf,
  matching,
  nullable,
  number,
  oneOf,
  record,
  text,
  timestamp,
  type Check,
} from './shapes.js';

const chargeOutcomes = ['charged', 'included', 'failed_not_charged', 'failed_charged_review'];
const integers = (names: readonly string[]): Record<string, Check> =>
  Object.fromEntries(names.map((name) => [name, integer]));
const objectFields = [
  'request_payload',
  'response_payload_summary',
  'execution_outcome',
  'billing_rule_snapshot',
  'pre_settlement_bill',
  'settlement_result',
];

/** A usage event without its object fields. */
export const usageItem = record(
  { ...usageEventFields.required, details_available: boolean },
  Object.fromEntries(
    Object.entries(usageEventFields.optional).filter(
      ([name]) => !objectFields.includes(name) && name !== 'details_available',
    ),
  ),
);

export const feedPage = (item: Check): Check =>
  record({ items: listOf(item), has_more: boolean, page_size: integer }, { next_cursor: filledText });

const range = {
  start_date: nullable(timestamp),
  end_date: nullable(timestamp),
  bucket: oneOf('hour', 'day', 'week'),
};
const usageCounts = {
  ...integers(['total_count', 'success_count', 'failure_count']),
  pre_settlement_credits: number,
  settled_credits: number,
};
export const usageSummary = record({
  ...range,
  ...usageCounts,
  charge_outcome_counts: record(integers(chargeOutcomes)),
  max_charge_items: listOf(usageItem),
  buckets: listOf(
    record({ bucket_start: timestamp, ...usageCounts, ...integers(chargeOutcomes.map((name) => `${name}_count`)) }),
  ),
});

const movements = {
  ...integers(['consume_count', 'grant_count']),
  consumed_credits: number,
  granted_credits: number,
  net_amount_credits: number,
};
export const ledgerSummary = record({
  ...range,
  ...movements,
  total_entries: integer,
  max_amount_items: listOf(ledgerEntry),
  buckets: listOf(record({ bucket_start: timestamp, entry_count: integer, ...movements })),
});

const entryType = matching(/^(grant|consume)_[a-z_]+$/);

export const settlementItem = record(
  {
    id: ledgerId,
    source: filledText,
    entry_type: entryType,
    amount_credits: number,
    source_system: filledText,
    created_at: timestamp,
    details_available: boolean,
  },
  {
    source_ref_type: filledText,
    source_ref_id: filledText,
    execution_id: executionId,
    description: text,
    display_target: filledText,
    billing_summary: filledText,
    billing_snapshot_status: filledText,
  },
);

export const readiness = record(
  {
    checked_at: timestamp,
    scope: oneOf('all'),
    recommended_read_mode: oneOf('ledger', 'legacy'),
    ready: boolean,
    legacy_total_count: integer,
    legacy_total_amount_credits: number,
    ledger_total_count: integer,
    ledger_total_amount_credits: number,
    entities: listOf(
      record({
        entity_type: entryType,
        ...integers(['legacy_count', 'ledger_count', 'missing_count', 'extra_count']),
        legacy_amount_credits: number,
        ledger_amount_credits: number,
        amount_delta_credits: number,
        ready: boolean,
      }),
    ),
    // Beyond the specification: up to when nothing can come in between.
    settled_until: timestamp,
  },
  { start_date: text, end_date: text },
);

export const creditsSpent = record({ total_credits: number }, { start_date: text, end_date: text });
