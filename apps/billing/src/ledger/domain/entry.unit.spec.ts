import { describe, expect, it } from '@jest/globals';
import {
  canonicalJson,
  type AccountId,
  type Credits,
  type JsonObject,
  type LedgerEntryId,
} from '@capability-router/kernel';
import { canonicalEntry, chainEntry, hashEntry, type LedgerEntry } from './entry.js';

const head = {
  accountId: 'acc_0198f3f2a7c07b5e8a54d0b1c2d3e4f5' as AccountId,
  entrySeq: 7n,
  balance: 5_000_000n as Credits,
  lastHash: 'ab'.repeat(32),
  settlementSeq: 3n,
};
const bill: JsonObject = { summary: '1 call × "half"', lines: [{ quantity: 1, b: null, a: [true, 0.5] }] };
const pending = {
  entryId: 'led_0198f3f2a7c07b5e8a54d0b1c2d3e4f5' as LedgerEntryId,
  entryType: 'consume_tool_execute',
  amount: -500_000n as Credits,
  sourceSystem: 'execution',
  sourceRefType: 'execution',
  sourceRefId: 'exec_0198f3f2a7c07b5e8a54d0b1c2d3e4f5',
  executionId: 'exec_0198f3f2a7c07b5e8a54d0b1c2d3e4f5',
  description: 'tool: 1 call × "half"\n\\ \ud800 \u2028 漢字',
  metadata: { tool_id: 'a.b.c.v1', session_id: 'back\\slash "quote"' },
  preSettlementBill: bill,
  settlementResult: { status: 'settled' },
  effectiveAt: '2026-01-02T03:04:05.678Z',
} as const;
const createdAt = '2026-01-02T03:04:06.000Z';

/** The definition of version 1: canonical JSON of these members. */
function defined(entry: LedgerEntry): string {
  return canonicalJson({
    version: 1,
    entry_id: entry.entryId,
    account_id: entry.accountId,
    entry_seq: entry.entrySeq.toString(),
    entry_type: entry.entryType,
    amount_micro: entry.amount.toString(),
    balance_before_micro: entry.balanceBefore.toString(),
    balance_after_micro: entry.balanceAfter.toString(),
    source_system: entry.sourceSystem,
    source_ref_type: entry.sourceRefType,
    source_ref_id: entry.sourceRefId,
    execution_id: entry.executionId,
    description: entry.description,
    metadata: entry.metadata,
    pre_settlement_bill: entry.preSettlementBill,
    settlement_result: entry.settlementResult,
    effective_at: entry.effectiveAt,
    created_at: entry.createdAt,
    previous_hash: entry.previousHash,
  });
}

describe('the hash of a ledger entry', () => {
  it('is over the canonical JSON of version 1, whatever text the entry holds', () => {
    const charge = chainEntry(head, pending, { ...pending, createdAt }).entry;
    expect(canonicalEntry(charge)).toBe(defined(charge));
    const grant = { ...pending, executionId: null, preSettlementBill: null, settlementResult: null };
    const booked = chainEntry(head, grant, { ...grant, amount: 1n as Credits, createdAt }).entry;
    expect(canonicalEntry(booked)).toBe(defined(booked));
  });

  it('never changes: entries of earlier builds must still verify', () => {
    const { entry, head: next } = chainEntry(head, pending, { ...pending, createdAt });
    expect(entry.hash).toBe('b667d8a5545e1b902a7a5c6dadd40e93b3e02bbfdf699287ec6ce05fdf29b652');
    expect(hashEntry(entry)).toBe(entry.hash);
    expect(next).toEqual({ ...head, entrySeq: 8n, balance: 4_500_000n, lastHash: entry.hash });
  });
});
