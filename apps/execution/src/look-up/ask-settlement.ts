import type { SettlementResponse } from '@capability-router/contracts';
import { creditsFromMicro } from '@capability-router/kernel';
import { jsonBody, type ServiceClient } from '@capability-router/service-kit';
import type { Settlement } from './execution-view.js';

/** Milliseconds; a look-up says what it knows when billing does not answer. */
const TIMEOUT_MS = 2_000;

/** Asks what became of the bill of an execution; undefined when billing does not answer. */
export async function askSettlement(
  billing: ServiceClient,
  accountId: string,
  executionId: string,
): Promise<Settlement | undefined> {
  try {
    const path = `/internal/accounts/${accountId}/executions/${executionId}/settlement`;
    const answer = await billing.request({ method: 'GET', path, timeoutMs: TIMEOUT_MS });
    if (answer.status !== 200) return undefined;
    const { settlementState, amountMicroCredits, ledgerEntryId } = jsonBody<SettlementResponse>(answer);
    return {
      state: settlementState,
      ...(amountMicroCredits === undefined ? {} : { amount: creditsFromMicro(BigInt(amountMicroCredits)) }),
      ...(ledgerEntryId === undefined ? {} : { ledgerEntryId }),
    };
  } catch {
    return undefined;
  }
}
