import type { JsonObject } from '@capability-router/kernel';
import type { EventEnvelope } from '../envelope.js';
import type { Bill } from './execution.js';
import type { ChargeOutcome, Outcome } from '../reason-codes.js';
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
  /**
   * JSON text, so that a table can hold it: an array of `{lot_id, category, amount_micro_credits}`, one for each lot that
   * the entry moved, in burn order. Amounts are signed and add up to the entry's. Absent on records of older builds.
   */
  readonly lots?: string;
  /** Money paid for the credits of a grant, where it was told; a decimal number as text, exact. */
  readonly paidAmount?: string;
  readonly paidCurrency?: string;
  /** The project that a charge, or the refund of one, is counted for; absent where there is none, and on records of older builds. */
  readonly projectId?: string;
  readonly effectiveAt: string;
  readonly createdAt: string;
  /** 64 hex digits each; the first entry of an account follows 64 zeros. */
  readonly previousHash: string;
  readonly hash: string;
}

/**
 * The sums of all chains of the ledger at a cut, once a day. `merkleRoot` is the Merkle tree hash of RFC 9162 over one
 * leaf per account that has entries before the cut, in the order of account ids; a leaf is the canonical JSON of
 * `{account_id, balance_micro, entry_seq, hash, version}` of the account's last entry before the cut.
 */
export interface LedgerRootRecorded {
  /** Dense from 1. */
  readonly rootSeq: number;
  /** The UTC day that had ended, `YYYY-MM-DD`. Every entry recorded on it is before the cut. */
  readonly ledgerDate: string;
  /** The version of the encoding that is hashed. */
  readonly version: 1;
  /** The first place in billing's commit order that the root does not cover; a decimal string. */
  readonly cut: string;
  /** Leaves. */
  readonly accounts: number;
  /** Entries before the cut, of all accounts. */
  readonly entries: number;
  readonly balanceMicroCredits: string;
  /** 64 hex digits each; the first root follows 64 zeros. */
  readonly merkleRoot: string;
  readonly previousHash: string;
  /** SHA-256 over the canonical JSON of all members above. */
  readonly hash: string;
  readonly computedAt: string;
}

export const settlementStatuses = ['settled', 'uncollected', 'not_applicable'] as const;
export type SettlementStatus = (typeof settlementStatuses)[number];

/**
 * One per finished execution, per search where the deployment bills searches, and per imported model call. What was
 * settled is named by `sourceRefType` and `sourceRefId`, as in `LedgerEntryRecorded`: together they are the key by
 * which a record, its ledger entry and its audit row are joined. Records of builds before that have neither: those of
 * searches (`eventType` `search`) are named by `searchId`, all others by `executionId`.
 */
export interface UsageSettled {
  readonly sourceRefType: 'execution' | 'search' | 'import';
  /** `exec_…`, `srch_…` or, of an imported model call, `imp_…`. */
  readonly sourceRefId: string;
  /** Present exactly where `sourceRefType` is `execution`, and then equal to `sourceRefId`. */
  readonly executionId?: string;
  readonly usageEventId: string;
  readonly accountId: string;
  /** The kind of the account when it called; absent on records of older builds and where nobody called. */
  readonly accountKind?: AccountKind;
  /** The project of the account that it is counted for; absent where there is none, and on records of older builds. */
  readonly projectId?: string;
  /** The key that called; absent where an access token did, and on records of older builds. */
  readonly apiKeyId?: string;
  /** The OAuth client whose token called; absent where a key did, and on records of older builds. */
  readonly oauthClientId?: string;
  /** The session as the caller named it, at most 200 characters; absent where it named none, and on records of older builds. */
  readonly sessionId?: string;
  /** Dense per account, from 1. */
  readonly settlementSeq: number;
  readonly eventType: string;
  readonly toolId?: string;
  /** Whose tool was called; absent where none was found, of searches and imports, and on records of older builds. */
  readonly providerId?: string;
  /**
   * A search names itself. A call names the search that the caller says led to it: not checked, it may be another
   * account's, or no search at all.
   */
  readonly searchId?: string;
  readonly success: boolean;
  /** How an execution ended; absent on records of searches, imports and older builds. */
  readonly outcome?: Outcome;
  readonly reasonCode: string;
  /** The outcome of the charge as the audit has it at settlement; absent on records of older builds. */
  readonly chargeOutcome?: ChargeOutcome;
  readonly status: SettlementStatus;
  /** False of a call that was answered 503: it did not run and has no usage event. Otherwise absent. */
  readonly audited?: false;
  readonly requestedMicroCredits: string;
  readonly settledMicroCredits: string;
  /** The amount that the daily free allowance took in place of a charge; absent where it took nothing. */
  readonly coveredMicroCredits?: string;
  readonly ledgerEntryId?: string;
  readonly effectiveAt: string;
  readonly settledAt: string;
}

/** Credits of a charge were given back by a ledger entry. Refunds of one charge only ever add up. */
export interface ChargeRefunded {
  readonly accountId: string;
  /** The entry of the refund, `grant_charge_refund`. */
  readonly ledgerEntryId: string;
  /** The entry of the charge that was refunded. */
  readonly chargeEntryId: string;
  readonly usageEventId: string;
  readonly amountMicroCredits: string;
  /** All refunds of this charge so far, this one included; never above the charge. */
  readonly refundedMicroCredits: string;
  /** ISO 8601; of what was refunded. */
  readonly effectiveAt: string;
  readonly refundedAt: string;
}

/** A call to a model that an operator brought in (`POST /admin/v1/usage-events:import`). */
export interface ModelCallImported {
  /** `imp_` + 32 hex digits. */
  readonly importRef: string;
  readonly usageEventId: string;
  readonly accountId: string;
  readonly model: string;
  readonly success: boolean;
  readonly reasonCode: string;
  readonly requestedMicroCredits: string;
  readonly bill: Bill;
  readonly sessionId?: string;
  readonly apiKeyId?: string;
  readonly durationMs?: number;
  /** ISO 8601; when the call ended. */
  readonly completedAt: string;
}

/** The balance of an account after one of its ledger entries. The last record of a key is the current one. */
export interface AccountBalanceChanged {
  readonly accountId: string;
  /** The sum of the entries up to `entrySeq`; what open holds reserve is part of it. */
  readonly balanceMicroCredits: string;
  /** The number of the last entry that is counted. */
  readonly entrySeq: number;
  readonly entryId: string;
  /** `createdAt` of that entry. */
  readonly asOf: string;
}

export type BalanceEvent = EventEnvelope<'AccountBalanceChanged', AccountBalanceChanged>;
export type LedgerEvent = EventEnvelope<'LedgerEntryRecorded', LedgerEntryRecorded>;
export type ChargeRefundedEvent = EventEnvelope<'ChargeRefunded', ChargeRefunded>;
export type ModelCallImportedEvent = EventEnvelope<'ModelCallImported', ModelCallImported>;
export type SettlementEvent = EventEnvelope<'UsageSettled', UsageSettled>;
export type LedgerRootEvent = EventEnvelope<'LedgerRootRecorded', LedgerRootRecorded>;
