/** Milliseconds that settlement may take before a charge without a ledger entry is an anomaly. */
export const LEDGER_LINK_GRACE_MS = 60_000;

export const anomalies = ['failed_charged_review', 'missing_ledger_link', 'missing_billing_snapshot'] as const;
export type Anomaly = (typeof anomalies)[number];
