import { topicNames, type ExecutionFacts, type PriceRule } from '@capability-router/contracts';
import { appendBatch, type BatchItem } from '@capability-router/event-store';
import { newAccountId, newExecutionId, toIso, type AccountId, type ExecutionId } from '@capability-router/kernel';
import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/** Credits of each account, in micro-credits: enough for every call of the backlog. */
const GRANT_MICRO_CREDITS = 1_000_000_000_000n;
const PRICE_MICRO_CREDITS = 500_000n;
const INQUIRY_AGE_MS = 3_600_000;
/** Executions that overlap: an end follows its start by this many. */
const IN_FLIGHT = 32;
/** Rows of one statement. */
const CHUNK = 2_000;

const price: PriceRule = {
  metering: { kind: 'call' },
  amountMicroCredits: PRICE_MICRO_CREDITS.toString(),
  unitLabel: 'call',
};

/** `AccountOpened` of that many accounts, in the feeder's event store. */
export async function openAccounts(feeder: pg.Pool, count: number, nowMs: number): Promise<AccountId[]> {
  const accounts = Array.from({ length: count }, () => newAccountId(nowMs));
  const items = accounts.map((accountId): BatchItem => {
    const data = {
      accountId,
      kind: 'formal',
      initialGrantMicroCredits: GRANT_MICRO_CREDITS.toString(),
      grantCategory: 'welcome_bonus',
      openedAt: toIso(nowMs),
    };
    const event = { type: 'AccountOpened', topic: topicNames.accounts, partitionKey: accountId, data };
    return { streamId: `account:${accountId}`, sequence: 1, event };
  });
  await appendBatch(feeder, 'identity', items);
  return accounts;
}

export interface Call {
  readonly executionId: ExecutionId;
  readonly accountId: AccountId;
}

export function planCalls(accounts: readonly AccountId[], count: number, nowMs: number): Call[] {
  return Array.from({ length: count }, (_, index) => {
    const accountId = accounts[index % accounts.length];
    if (accountId === undefined) throw new RangeError('calls need accounts');
    return { executionId: newExecutionId(nowMs), accountId };
  });
}

const holdsSql = `
WITH placed AS (
  INSERT INTO holds (execution_id, account_id, amount_micro, inquire_after, placed_at)
  SELECT v.execution_id, v.account_id, $3, $4, now() FROM unnest($1::text[], $2::text[]) AS v (execution_id, account_id)
  RETURNING account_id, amount_micro
), held AS (
  SELECT account_id, sum(amount_micro)::bigint AS amount FROM placed GROUP BY account_id
)
UPDATE account_balances b SET held_micro = held_micro + held.amount FROM held WHERE b.account_id = held.account_id`;

/** An open hold for every call, as execution has it placed before it dispatches. */
export async function placeHolds(billing: pg.Pool, calls: readonly Call[], nowMs: number): Promise<void> {
  for (let start = 0; start < calls.length; start += CHUNK) {
    const chunk = calls.slice(start, start + CHUNK);
    const ids = [chunk.map((call) => call.executionId), chunk.map((call) => call.accountId)];
    await billing.query(holdsSql, [...ids, PRICE_MICRO_CREDITS.toString(), toIso(nowMs + INQUIRY_AGE_MS)]);
  }
}

/** `ExecutionStarted` and `ExecutionCompleted` of every call, in the order in which a busy service records them. */
export async function recordCalls(feeder: pg.Pool, calls: readonly Call[], nowMs: number): Promise<void> {
  const items: BatchItem[] = [];
  for (let index = 0; index < calls.length + IN_FLIGHT; index += 1) {
    const starting = calls[index];
    const ending = calls[index - IN_FLIGHT];
    if (starting !== undefined) items.push(startOf(starting, nowMs));
    if (ending !== undefined) items.push(endOf(ending, nowMs));
  }
  for (let start = 0; start < items.length; start += CHUNK) {
    await appendBatch(feeder, 'execution', items.slice(start, start + CHUNK));
  }
}

export const startOf = (call: Call, nowMs: number): BatchItem =>
  item(call, 1, 'ExecutionStarted', started(call, nowMs));

export const endOf = (call: Call, nowMs: number): BatchItem =>
  item(call, 2, 'ExecutionCompleted', completed(call, nowMs));

function item({ executionId, accountId }: Call, sequence: number, type: string, data: object): BatchItem {
  const event = { type, topic: topicNames.executions, partitionKey: accountId, correlationId: randomUUID(), data };
  return { streamId: executionId, sequence, event };
}

function facts({ executionId, accountId }: Call): ExecutionFacts {
  return {
    executionId,
    accountId,
    eventType: 'tool_execute',
    apiKeyId: '0198f3f2-a7c0-7b5e-8a54-d0b1c2d3e4f5',
    credentialType: 'api_key',
    toolId: 'formula.expression.evaluate.v1',
    toolVersion: 1,
    providerId: 'formula',
    sessionId: 'bench-session',
    parametersHash: 'f'.repeat(64),
    parametersBytes: 120,
    priceRule: price,
    expectedCost: '0.5',
    holdMicroCredits: PRICE_MICRO_CREDITS.toString(),
  };
}

const started = (call: Call, nowMs: number): object => ({
  ...facts(call),
  startedAt: toIso(nowMs),
  deadlineAt: toIso(nowMs + 30_000),
});

const completed = (call: Call, nowMs: number): object => ({
  ...facts(call),
  success: true,
  outcome: {
    outcome: 'success',
    reasonCode: 'result.valid',
    transportSuccess: true,
    providerSuccess: true,
    billableSuccess: true,
    resultValid: true,
    userMessage: 'The tool returned a valid result.',
    retryable: false,
  },
  bill: {
    summary: '1 call × 0.5 credits',
    listAmountMicroCredits: PRICE_MICRO_CREDITS.toString(),
    chargeLines: [
      {
        componentKey: 'call',
        description: 'Evaluate a mathematical expression',
        quantity: 1,
        unitLabel: 'call',
        amountMicroCredits: PRICE_MICRO_CREDITS.toString(),
      },
    ],
  },
  httpStatusCode: 200,
  durationMs: 4.2,
  startedAt: toIso(nowMs),
  completedAt: toIso(nowMs + 5),
  resultBytes: 64,
  resultHash: 'e'.repeat(64),
});
