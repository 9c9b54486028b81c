import { createHash, randomUUID } from 'node:crypto';
import {
  topicNames,
  type AccountBalanceChanged,
  type LedgerEntryRecorded,
  type UsageSettled,
} from '@capability-router/contracts';

export interface Published {
  readonly topic: string;
  readonly key: string;
  readonly headers: Record<string, string>;
  readonly value: string;
}

const AT = '2025-11-21T04:40:00.000Z';
const GRANT_MICRO = 1_000_000_000n;

/** Accounts with a grant and calls, as billing would publish them; sums kept apart, in plain numbers. */
export class PublishedBooks {
  readonly entries: Published[] = [];
  readonly settlements: Published[] = [];
  readonly balances: Published[] = [];
  readonly totals = { entries: 0, granted: 0n, consumed: 0n, settlements: 0, settled: 0n };
  private readonly accounts = new Map<string, { seq: number; settlementSeq: number; balance: bigint; hash: string }>();

  /** A grant, then `calls` calls of which every third is free. */
  account(accountId: string, calls: number): void {
    this.accounts.set(accountId, { seq: 0, settlementSeq: 0, balance: 0n, hash: '0'.repeat(64) });
    this.entry(accountId, 'grant_welcome_bonus', GRANT_MICRO);
    for (let call = 1; call <= calls; call += 1) {
      const charge = call % 3 === 0 ? 0n : BigInt(call) * 1_001n;
      const entryId = charge > 0n ? this.entry(accountId, 'consume_tool_execute', -charge) : undefined;
      this.settlement(accountId, charge, entryId);
    }
  }

  private entry(accountId: string, entryType: LedgerEntryRecorded['entryType'], amount: bigint): string {
    const head = this.headOf(accountId);
    const entryId = `led_${randomUUID().replaceAll('-', '')}`;
    const [before, previousHash] = [head.balance, head.hash];
    head.seq += 1;
    head.balance += amount;
    head.hash = createHash('sha256').update(`${previousHash}${entryId}`).digest('hex');
    const data: LedgerEntryRecorded = {
      entryId,
      accountId,
      entrySeq: head.seq,
      entryType,
      amountMicroCredits: amount.toString(),
      balanceBeforeMicroCredits: before.toString(),
      balanceAfterMicroCredits: head.balance.toString(),
      sourceSystem: 'test',
      sourceRefType: 'grant',
      sourceRefId: entryId,
      description: '=1+1, "quoted"\nand more',
      metadata: { nested: { text: 'ü' } },
      effectiveAt: AT,
      createdAt: AT,
      previousHash,
      hash: head.hash,
    };
    this.entries.push(record(topicNames.ledgerEntries, 'LedgerEntryRecorded', accountId, data));
    const balance: AccountBalanceChanged = {
      accountId,
      balanceMicroCredits: head.balance.toString(),
      entrySeq: head.seq,
      entryId,
      asOf: AT,
    };
    this.balances.push(record(topicNames.balances, 'AccountBalanceChanged', accountId, balance));
    this.totals.entries += 1;
    if (amount > 0n) this.totals.granted += amount;
    else this.totals.consumed -= amount;
    return entryId;
  }

  private settlement(accountId: string, settled: bigint, ledgerEntryId: string | undefined): void {
    const head = this.headOf(accountId);
    head.settlementSeq += 1;
    const executionId = `exec_${randomUUID().replaceAll('-', '')}`;
    const data: UsageSettled = {
      sourceRefType: 'execution',
      sourceRefId: executionId,
      executionId,
      usageEventId: randomUUID(),
      accountId,
      settlementSeq: head.settlementSeq,
      eventType: 'tool_execute',
      success: true,
      reasonCode: 'result.valid',
      status: settled > 0n ? 'settled' : 'not_applicable',
      requestedMicroCredits: settled.toString(),
      settledMicroCredits: settled.toString(),
      ...(ledgerEntryId === undefined ? {} : { ledgerEntryId }),
      effectiveAt: AT,
      settledAt: AT,
    };
    this.settlements.push(record(topicNames.usageSettlements, 'UsageSettled', accountId, data));
    this.totals.settlements += 1;
    this.totals.settled += settled;
  }

  private headOf(accountId: string): { seq: number; settlementSeq: number; balance: bigint; hash: string } {
    const head = this.accounts.get(accountId);
    if (head === undefined) throw new Error(`${accountId} was not opened`);
    return head;
  }
}

function record(topic: string, type: string, key: string, data: object): Published {
  return { topic, key, headers: { ce_type: type, ce_id: randomUUID() }, value: JSON.stringify(data) };
}
