import { HOLD_EXPIRES_AT } from '@capability-router/contracts';
import type { HoldOutcome } from './billing-client.js';
import type { AcceptedCall } from '../request/call.js';
import type { ExecuteToolPorts } from '../execute-tool.js';

/** `cause`: whether the start is on record is not known. */
type StartOutcome = { readonly started: boolean } | { readonly cause: unknown };

type Ports = Pick<ExecuteToolPorts, 'journal' | 'lease' | 'billing' | 'faults'>;

/** Both at once, unless an idempotency key decides first which of several calls may hold anything. */
export async function startAndHold(
  { journal, lease, billing, faults }: Ports,
  call: AcceptedCall,
): Promise<{ readonly start: StartOutcome; readonly hold: HoldOutcome | undefined }> {
  const starting = journal.start(call.started, lease.ownerId, call.deadlineMs, call.claim).then(
    (started): StartOutcome => {
      if (started) faults.reached('after-start');
      return { started };
    },
    (cause: unknown): StartOutcome => ({ cause }),
  );
  if (call.claim === undefined) {
    const [start, hold] = await Promise.all([starting, placeHold(billing, call)]);
    return { start, hold };
  }
  const start = await starting;
  const mayHold = 'started' in start && start.started;
  return { start, hold: mayHold ? await placeHold(billing, call) : undefined };
}

function placeHold(billing: Ports['billing'], call: AcceptedCall): Promise<HoldOutcome | undefined> {
  if (call.bound === 0n) return Promise.resolve(undefined);
  const { sessionId } = call.request;
  const hold = {
    executionId: call.executionId,
    accountId: call.assertion.accountId,
    amountMicroCredits: call.bound.toString(),
    expiresAt: HOLD_EXPIRES_AT,
    ...(call.assertion.budgets?.session === undefined || sessionId === undefined ? {} : { sessionId }),
  };
  return billing.placeHold(hold, call.assertionToken, call.deadlineMs);
}
