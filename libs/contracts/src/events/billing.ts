import type { JsonObject } from '@capability-router/kernel';
import type { EventEnvelope } from '../envelope.js';
import type { AccountKind } from './identity.js';

export const ledgerEntryTypes = [
  'grant_payment_recharge',
  'grant_welcome_bonus',
  'grant_invitation_reward',
  'grant_charge_refund',
  'grant_correction',
  'consume_tool_search',
  'consume_tool_execute',
  'consume_model_call',
  'consume_payment_refund',
  'consume_grant_expiry',
  'consume_correction',
] as const;
export type LedgerEntryType = (typeof ledgerEntryTypes)[number];

/** The ledger row itself. Amounts are decimal strings of micro-credits. */
export interface LedgerEntryRecorded {
  readonly entryId: string;
  readonly accountId: string;
  /** Dense per account, from 1. */
  readonly entrySeq: number;
  readonly entryType: LedgerEntryType;
  readonly amountMicroCredits: string;
  readonly balanceBeforeMicroCredits: string;
  readonly balanceAfterMicroCredits: string;
  readonly sourceSystem: string;
  readonly sourceRefType: string;
  readonly sourceRefId: string;
  readonly executionId?: string;
  readonly description: string;
  readonly metadata: JsonObject;
  readonly effectiveAt: string;
  readonly createdAt: string;
  /** 64 hex digits each; the first entry of an account follows 64 zeros. */
  readonly previousHash: string;
  readonly hash: string;
}

export type SettlementStatus = 'settled' | 'uncollected' | 'not_applicable';

/**
 * One per finished execution, and per search where the deployment bills searches. What was settled is named by
 * `sourceRefType` and `sourceRefId`, as in `LedgerEntryRecorded`: together they are the key by which a record, its ledger
 * entry and its audit row are joined. Records of builds before that have neither: those of searches (`eventType`
 * `search`) are named by `searchId`, all others by `executionId`.
 */
export interface UsageSettled {
  readonly sourceRefType: 'execution' | 'search';
  /** `exec_…` or `srch_…`. */
  readonly sourceRefId: string;
  /** Present exactly where `sourceRefType` is `execution`, and then equal to `sourceRefId`. */
  readonly executionId?: string;
  readonly usageEventId: string;
  readonly accountId: string;
  /** What the account was when it called; absent on records of older builds and where nobody called. */
  readonly accountKind?: AccountKind;
  /** Dense per account, from 1. */
  readonly settlementSeq: number;
  readonly eventType: string;
  readonly toolId?: string;
  /**
   * Of a search, itself. Of a call, the search that the caller says led to it: not checked, it may be another account's,
   * or no search at all.
   */
  readonly searchId?: string;
  readonly success: boolean;
  readonly reasonCode: string;
  readonly status: SettlementStatus;
  /** False of a call that was answered 503: it did not run and has no usage event. Otherwise absent. */
  readonly audited?: false;
  readonly requestedMicroCredits: string;
  readonly settledMicroCredits: string;
  readonly ledgerEntryId?: string;
  readonly effectiveAt: string;
  readonly settledAt: string;
}

export type LedgerEvent = EventEnvelope<'LedgerEntryRecorded', LedgerEntryRecorded>;
export type SettlementEvent = EventEnvelope<'UsageSettled', UsageSettled>;
