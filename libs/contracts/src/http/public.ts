import type { JsonObject } from '@capability-router/kernel';
/** The version that every response carries in `X-Service-Api-Version`. */
export const API_CONTRACT_VERSION = '2026-09-12.1';
export const API_PREFIX = '/api/v1';
/** The endpoint of the Model Context Protocol, at the origin root. */
export const MCP_PATH = '/mcp';

export const publicHeaders = {
  apiVersion: 'x-service-api-version',
  requestId: 'x-request-id',
  cacheMode: 'x-service-cache-mode',
  idempotencyKey: 'idempotency-key',
  idempotencyReplayed: 'idempotency-replayed',
} as const;

/** `search_id` of a search that never ran: its key was invalid, or it could not be paid. */
export const FAILED_SEARCH_ID = 'srch_failed';

/** One fault of a request body: `details[]` of a 422 in Execute shape, `detail[]` elsewhere. */
export interface ValidationDetail {
  /** `missing`, `extra_forbidden`, `string_type`, `int_type`, `enum`, `too_long`, … */
  readonly type: string;
  /** Path to the field, e.g. `["body", "parameters", "city"]`. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input?: unknown;
  /** As the input, or by its kind and size; never a secret. Absent where nothing was sent. */
  readonly received?: unknown;
  /** Keywords of JSON Schema for whatever would have been let through, where the rule can be told so. */
  readonly allowed?: JsonObject;
}

/** The envelope of audit, ledger, account and agent endpoints. */
export interface ApiResponse<T> {
  readonly status: 'success' | 'failure';
  readonly message: string;
  /** 0 on success. */
  readonly status_code: number;
  readonly data: T | null;
}

export const apiSuccess = <T>(data: T, message = 'ok'): ApiResponse<T> => ({
  status: 'success',
  message,
  status_code: 0,
  data,
});
