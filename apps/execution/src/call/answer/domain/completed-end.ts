import type { Bill, ExecutionFacts } from '@capability-router/contracts';
import { sha256Hex } from '@capability-router/kernel';
import { timesOf } from '../../journal/domain/ends.js';
import type { ExecutionEnd } from '../../journal/domain/execution-end.js';
import type { Classified } from '../../outcome/domain/classify-outcome.js';

const OK = 200;

/** The tool answered or failed. `serialized`: its data as JSON, absent where it failed. */
export function completedEnd(
  facts: ExecutionFacts,
  classified: Classified,
  bill: Bill,
  serialized: Buffer | undefined,
  startedMs: number,
  completedMs: number,
): ExecutionEnd {
  const charged = bill.chargeLines.length > 0;
  // Tiers have a line each.
  const quantity = bill.chargeLines.reduce((total, line) => total + line.quantity, 0);
  return {
    type: 'ExecutionCompleted',
    data: {
      ...facts,
      success: classified.success,
      outcome: { ...classified.outcome, ...(charged ? { chargeableQuantity: quantity } : {}) },
      bill,
      ...(classified.errorMessage === undefined ? {} : { errorMessage: classified.errorMessage }),
      httpStatusCode: OK,
      ...timesOf(startedMs, completedMs),
      ...(serialized === undefined ? {} : { resultBytes: serialized.length, resultHash: sha256Hex(serialized) }),
      ...(bill.fromCache === undefined ? {} : { servedFromCache: true }),
    },
  };
}
