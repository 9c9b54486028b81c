/**
 * The records of the sources about one thing: of an execution, a billed search or an imported model call, under its id;
 * of any other ledger entry, under the entry's own. Amounts are in micro-credits.
 */
export type SourceRecord =
  /** How the owning service says it ended. */
  | {
      readonly source: 'execution';
      readonly accountId: string;
      /** 0 where its outcome or its price asks for nothing. */
      readonly requested: bigint;
      /** False where it was not dispatched: it leaves no audit row. */
      readonly audited: boolean;
    }
  | {
      readonly source: 'settlement';
      readonly accountId: string;
      readonly requested: bigint;
      readonly settled: bigint;
      /** By the daily free allowance. */
      readonly covered: bigint;
      readonly status: string;
      readonly entryId: string | null;
    }
  | { readonly source: 'ledger'; readonly accountId: string; readonly entry: EntryFacts }
  | { readonly source: 'topic'; readonly accountId: string; readonly entry: EntryFacts }
  | {
      readonly source: 'audit';
      readonly accountId: string;
      readonly requested: bigint | null;
      /** Null while it waits for its settlement. */
      readonly settled: bigint | null;
      readonly entryId: string | null;
      /** Absent: nothing was refunded, and the row says so. */
      readonly refunds?: AuditedRefunds;
    };

/** Refunds of one charge, in micro-credits. */
export interface AuditedRefunds {
  readonly audited: bigint;
  /** Booked long enough ago for the audit to have them. */
  readonly due: bigint;
  readonly booked: bigint;
}

export interface EntryFacts {
  readonly entryId: string;
  readonly entryType: string;
  /** Signed. */
  readonly amount: bigint;
  readonly hash: string;
}

export type SourceName = SourceRecord['source'];

/** An execution, a billed search or an imported model call. */
export const isBillable = (key: string): boolean => /^(?:exec|srch|imp)_/.test(key);

export type DifferenceKind =
  | 'execution_unknown'
  | 'ended_twice'
  | 'not_settled'
  | 'settlement_differs'
  | 'not_charged'
  | 'charged_twice'
  | 'charge_differs'
  | 'charged_without_settlement'
  | 'audit_missing'
  | 'audit_twice'
  | 'audit_differs'
  | 'audit_unexpected'
  | 'topic_missing'
  | 'topic_differs'
  | 'topic_unknown';

export interface Difference {
  readonly kind: DifferenceKind;
  /** `exec_…`, `srch_…`, `imp_…` or `led_…`. */
  readonly id: string;
  readonly accountId: string;
  readonly detail: string;
}
