import {
  creditsFromMicro,
  creditsToNumber,
  type Credits,
  type ErrorCode,
  type JsonObject,
} from '@capability-router/kernel';
import type { Bill, ExecutionOutcome, ValidationDetail } from '@capability-router/contracts';

/** A Call is answered with this. */
export interface ExecuteAnswer {
  readonly httpStatus: number;
  readonly body: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** The failure is a fault of the deployment, as `ExecutionOutcome.ours` says. Callers are not told. */
  readonly ours?: true;
}

export interface AnswerInput {
  readonly executionId: string;
  readonly elapsedMs: number;
  readonly success: boolean;
  readonly outcome: ExecutionOutcome;
  readonly errorMessage?: string;
  readonly result: JsonObject;
  /** Absent where nothing was dispatched. */
  readonly bill?: Bill;
  /** The daily free allowance stands for the bill. */
  readonly covered?: boolean;
  readonly remainingCredits?: Credits;
  readonly details?: readonly (ValidationDetail | JsonObject)[];
  /** Set in a refusal whose status alone does not tell it. */
  readonly code?: ErrorCode;
}

/** The Execute response (PublicExecuteToolResponse): amounts are JSON numbers, and what is not known is absent. */
export function executeAnswer(httpStatus: number, input: AnswerInput): ExecuteAnswer {
  const body = executeBody(input);
  // Clients show `message` of any error body, whatever its shape.
  const told = httpStatus < 400 ? body : { message: body['error_message'] ?? null, ...body };
  return { httpStatus, body: told, ...(input.outcome.ours === undefined ? {} : { ours: input.outcome.ours }) };
}

function executeBody(input: AnswerInput): JsonObject {
  const list = creditsToNumber(creditsFromMicro(BigInt(input.bill?.listAmountMicroCredits ?? '0')));
  return {
    execution_id: input.executionId,
    result: input.result,
    success: input.success,
    error_message: input.success ? null : (input.errorMessage ?? input.outcome.userMessage),
    execution_time: input.elapsedMs / 1_000,
    elapsed_time_ms: input.elapsedMs,
    // A selection of the result was asked for, so only the result is given.
    ...(input.bill === undefined || isProjected(input.result)
      ? {}
      : { billing: billingOf(input.bill, list, input.covered) }),
    ...(input.result['respond_with'] === 'summary' ? {} : { execution_outcome: outcomeOf(input.outcome) }),
    cost: input.covered === true ? 0 : list,
    ...(input.remainingCredits === undefined ? {} : { remaining_credits: creditsToNumber(input.remainingCredits) }),
    ...(input.code === undefined ? {} : { code: input.code }),
    ...(input.details === undefined ? {} : { details: input.details as JsonObject[] }),
  };
}

const isProjected = (result: JsonObject): boolean => result['respond_with'] !== undefined;

function billingOf(bill: Bill, list: number, covered = false): JsonObject {
  return {
    summary: bill.summary,
    list_amount_credits: list,
    ...(covered ? { final_amount_credits: 0 } : {}),
    charge_lines: bill.chargeLines.map((line) => ({
      component_key: line.componentKey,
      description: line.description,
      quantity: line.quantity,
      unit_label: line.unitLabel,
      amount_credits: creditsToNumber(creditsFromMicro(BigInt(line.amountMicroCredits))),
    })),
  };
}

function outcomeOf(outcome: ExecutionOutcome): JsonObject {
  return {
    outcome: outcome.outcome,
    reason_code: outcome.reasonCode,
    transport_success: outcome.transportSuccess,
    provider_success: outcome.providerSuccess,
    billable_success: outcome.billableSuccess,
    result_valid: outcome.resultValid,
    user_message: outcome.userMessage,
    retryable: outcome.retryable,
    ...(outcome.providerStatusCode === undefined ? {} : { provider_status_code: outcome.providerStatusCode }),
    ...(outcome.validResultCount === undefined ? {} : { valid_result_count: outcome.validResultCount }),
  };
}
