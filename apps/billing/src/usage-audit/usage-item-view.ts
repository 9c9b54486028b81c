import { usageEventView, type UsageEventRow } from './usage-event-view.js';

const objectFields = [
  'request_payload',
  'response_payload_summary',
  'execution_outcome',
  'billing_rule_snapshot',
  'pre_settlement_bill',
  'settlement_result',
] as const;

/** Who keeps the payloads of what it was asked for. */
const payloadOwners: readonly string[] = ['execution', 'registry'];

/** A usage event without its object fields, for lists; `details_available` tells whether the single event has more. */
export function usageItemView(row: UsageEventRow): Record<string, unknown> {
  const view = usageEventView(row);
  const stored = objectFields.some((field) => view[field] !== undefined && view[field] !== null);
  for (const field of objectFields) delete view[field];
  return { ...view, details_available: stored || payloadOwners.includes(row.source_system) };
}
