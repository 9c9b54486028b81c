import { topicNames, type EventEnvelope } from '@capability-router/contracts';
import {
  toIso,
  usageEventIdOf,
  uuidv7,
  type AccountId,
  type ExecutionId,
  type JsonObject,
  type SearchId,
} from '@capability-router/kernel';

type Ending = 'ExecutionCompleted' | 'ExecutionRefused' | 'ExecutionInterrupted';

/** A terminal event as execution records it. */
export function terminalEvent(end: {
  executionId: ExecutionId;
  accountId: AccountId;
  type: Ending;
  success: boolean;
  bill: bigint;
  nowMs: number;
}): EventEnvelope {
  const { executionId, accountId, type, success, bill, nowMs } = end;
  const time = toIso(nowMs);
  const data: JsonObject = {
    executionId,
    accountId,
    eventType: 'tool_execute',
    credentialType: 'api_key',
    toolId: 'demo.thing.do.v1',
    holdMicroCredits: '0',
    success,
    outcome: {
      outcome: success ? 'success' : 'interrupted',
      reasonCode: success ? 'result.valid' : 'transport.execution_failed',
      transportSuccess: success,
      providerSuccess: success,
      billableSuccess: success,
      resultValid: success,
      userMessage: success ? 'ok' : 'failed',
      retryable: false,
    },
    bill: { summary: '1 call', listAmountMicroCredits: bill.toString(), chargeLines: [] },
    httpStatusCode: 200,
    durationMs: 5,
    startedAt: time,
    completedAt: time,
  };
  return {
    id: uuidv7(nowMs),
    type,
    source: 'execution',
    subject: executionId,
    sequence: 2,
    time,
    topic: topicNames.executions,
    partitionKey: accountId,
    data,
  };
}

/** A search as registry records it; without `bill` where searching is free. */
export function searchedEvent(search: {
  searchId: SearchId;
  accountId: AccountId;
  success: boolean;
  bill?: bigint;
  nowMs: number;
}): EventEnvelope {
  const { searchId, accountId, success, bill, nowMs } = search;
  const time = toIso(nowMs);
  const usageEventId = usageEventIdOf(searchId);
  const chargeLine = {
    componentKey: 'call',
    description: '1 search',
    quantity: 1,
    unitLabel: 'search',
    amountMicroCredits: String(bill),
  };
  const charge: JsonObject =
    bill === undefined
      ? {}
      : {
          priceRule: { metering: { kind: 'call' }, amountMicroCredits: bill.toString(), unitLabel: 'call' },
          holdMicroCredits: bill.toString(),
          bill: {
            summary: '1 search',
            listAmountMicroCredits: bill.toString(),
            chargeLines: bill > 0n ? [chargeLine] : [],
          },
        };
  const data: JsonObject = {
    usageEventId,
    accountId,
    credentialType: 'api_key',
    searchId,
    success,
    httpStatusCode: success ? 200 : 422,
    resultCount: success ? 3 : 0,
    durationMs: 2,
    completedAt: time,
    ...charge,
  };
  return {
    id: uuidv7(nowMs),
    type: 'ToolsSearched',
    source: 'registry',
    subject: usageEventId,
    sequence: 1,
    time,
    topic: topicNames.searches,
    partitionKey: accountId,
    data,
  };
}

/** An inspection as registry records it, with the id of a search that its caller named. */
export function inspectedEvent(inspection: { searchId: SearchId; accountId: AccountId; nowMs: number }): EventEnvelope {
  const { searchId, accountId, nowMs } = inspection;
  const usageEventId = uuidv7(nowMs);
  const time = toIso(nowMs);
  return {
    id: uuidv7(nowMs),
    type: 'ToolsInspected',
    source: 'registry',
    subject: usageEventId,
    sequence: 1,
    time,
    topic: topicNames.searches,
    partitionKey: accountId,
    data: {
      usageEventId,
      accountId,
      credentialType: 'api_key',
      searchId,
      success: true,
      httpStatusCode: 200,
      resultCount: 1,
      requestedCount: 1,
      durationMs: 2,
      completedAt: time,
    },
  };
}

export function accountOpened(accountId: AccountId, grantMicro: bigint, nowMs: number): EventEnvelope {
  const data: JsonObject = {
    accountId,
    kind: 'formal',
    initialGrantMicroCredits: grantMicro.toString(),
    grantCategory: 'welcome_bonus',
    openedAt: toIso(nowMs),
  };
  return {
    id: uuidv7(nowMs),
    type: 'AccountOpened',
    source: 'identity',
    subject: accountId,
    sequence: 1,
    time: toIso(nowMs),
    topic: topicNames.accounts,
    partitionKey: accountId,
    data,
  };
}
