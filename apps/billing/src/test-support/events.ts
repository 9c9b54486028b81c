import { topicNames, type EventEnvelope } from '@capability-router/contracts';
import { toIso, uuidv7, type AccountId, type ExecutionId, type JsonObject } from '@capability-router/kernel';

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
