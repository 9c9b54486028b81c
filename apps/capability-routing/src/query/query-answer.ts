import type { CapabilityContract } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import type { QueryRefusal } from './refusals.js';

/** The answer to a query. */
export interface QueryAnswer {
  readonly httpStatus: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: JsonObject | Buffer;
}

/** The facts about a query that goes no further. */
export interface Refused {
  readonly executionId: string;
  readonly elapsedMs: number;
  readonly contract?: CapabilityContract;
  /** The capability's parameters, as they were understood. */
  readonly parameters?: JsonObject;
  readonly routing?: JsonObject;
}

const unserved = { chosen: null, attempts: [] };

/** A PublicApiError, or for a 200 the answer of a query that nobody served; either with what routing has found out. */
export function refusalAnswer(refused: Refused, refusal: QueryRefusal): QueryAnswer {
  const { executionId, elapsedMs, contract, parameters, routing } = refused;
  const { httpStatus, message, reasonCode, code, details, beside } = refusal;
  const shared: JsonObject = {
    execution_id: executionId,
    ...(contract === undefined
      ? {}
      : {
          capability_id: contract.capabilityId,
          contract_version: contract.contractVersion,
          schema_hash: contract.schemaHash,
        }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(routing === undefined ? {} : { routing: { ...routing, ...unserved } }),
    ...beside,
  };
  if (httpStatus >= 400) {
    const fault = { status: 'failure', message, ...(code === undefined ? {} : { code }) };
    return {
      httpStatus,
      body: { ...fault, ...(details === undefined ? {} : { details: jsonOf(details) }), ...shared },
    };
  }
  const outcome = {
    outcome: 'refused',
    reason_code: reasonCode,
    transport_success: false,
    provider_success: false,
    billable_success: false,
    result_valid: false,
    user_message: message,
    retryable: reasonCode === 'tool_unavailable',
  };
  return {
    httpStatus,
    body: {
      success: false,
      result: { status_code: 502, data: {} },
      error_message: message,
      execution_time: elapsedMs / 1_000,
      elapsed_time_ms: elapsedMs,
      cost: 0,
      credits_used: 0,
      execution_outcome: outcome,
      ...shared,
    },
  };
}

const jsonOf = (details: readonly object[]): JsonObject[] => JSON.parse(JSON.stringify(details)) as JsonObject[];
