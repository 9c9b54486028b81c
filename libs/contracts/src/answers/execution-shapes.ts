/** The field table of Call, as checks: what every answer has, and what its kind adds. */
import { executionId, ledgerId, sha256 } from './common-shapes.js';
import {
  anyObject,
  anything,
  boolean,
  filledText,
  integer,
  listOf,
  matching,
  nullable,
  number,
  oneOf,
  record,
  text,
  within,
  type Check,
} from './shapes.js';

const bill = record(
  { summary: filledText, list_amount_credits: within(0, 1e9) },
  {
    final_amount_credits: within(0, 1e9),
    charge_lines: listOf(
      record({
        component_key: filledText,
        description: filledText,
        quantity: number,
        unit_label: filledText,
        amount_credits: number,
      }),
    ),
  },
);

export const executionOutcome = record(
  {
    outcome: filledText,
    reason_code: filledText,
    provider_success: boolean,
    billable_success: boolean,
    result_valid: boolean,
    user_message: text,
  },
  {
    transport_success: boolean,
    retryable: boolean,
    provider_status_code: integer,
    valid_result_count: integer,
    raw_result_count: integer,
  },
);

const seconds = within(0, 1000);

const optionalFields = {
  elapsed_time_ms: number,
  execution_outcome: executionOutcome,
  cost: nullable(number),
  remaining_credits: within(0, 9e9),
};

/** 200 with the tool's whole result. */
export const fullResponse = record(
  {
    execution_id: executionId,
    success: oneOf(true),
    result: record({ data: anything }),
    execution_time: seconds,
    billing: bill,
  },
  { ...optionalFields, error_message: nullable(text) },
);

/** 200, but the tool failed or had nothing to give. */
export const failedResponse = record(
  { execution_id: executionId, success: oneOf(false), error_message: filledText, execution_time: seconds },
  { ...optionalFields, billing: bill, result: anyObject },
);

export const truncatedResponse = record(
  {
    execution_id: executionId,
    success: oneOf(true),
    result: record(
      { message: filledText, truncated_content: text, full_content_file_url: matching(/^https?:\/\//) },
      { content_schema: anyObject },
    ),
    execution_time: seconds,
    billing: bill,
  },
  { ...optionalFields, error_message: nullable(text) },
);

/** `respond_with=summary`: statistics in place of the data; no bill and no outcome. */
export const summaryResponse = record(
  {
    execution_id: executionId,
    success: oneOf(true),
    result: record({
      respond_with: oneOf('summary'),
      content_schema: anyObject,
      summary: record({ size_bytes: integer, fields: listOf(text) }, { row_count: nullable(integer) }),
      full_content_file_url: matching(/^https?:\/\//),
      message: filledText,
    }),
    execution_time: seconds,
  },
  { elapsed_time_ms: number, cost: nullable(number), remaining_credits: within(0, 9e9), error_message: nullable(text) },
);

/** `respond_with=fields:…`: the chosen values; no bill. */
export const fieldsResponse = (respondWith: string): Check =>
  record(
    {
      execution_id: executionId,
      success: oneOf(true),
      result: record({ respond_with: oneOf(respondWith), data: anyObject }),
      execution_time: seconds,
    },
    { ...optionalFields, error_message: nullable(text) },
  );

/** Every error has these, whatever its shape. */
export const errorMembers = { code: filledText, retryable: boolean, next_step: filledText };
/** `retry_after_seconds` is the header Retry-After; `details_omitted` counts the single faults that did not fit. */
export const errorExtras = {
  retry_after_seconds: integer,
  details_omitted: integer,
  trace_id: matching(/^[0-9a-f]{32}$/),
};

/** `field` is `loc` without the part of the request that it begins with; `allowed` has keywords of JSON Schema. */
const faultExtras = { field: filledText, received: anything, allowed: anyObject };

const refusal = {
  ...errorMembers,
  execution_id: executionId,
  success: oneOf(false),
  message: filledText,
  error_message: filledText,
  execution_time: seconds,
};
const refusalExtras = {
  ...errorExtras,
  elapsed_time_ms: number,
  remaining_credits: within(0, 9e9),
  result: anyObject,
  cost: nullable(number),
  execution_outcome: executionOutcome,
  status: oneOf('failure'),
  status_code: integer,
};

/** One fault of a request. */
const detailFields = { type: filledText, loc: listOf(anything), msg: filledText };
export const validationDetail = record(detailFields, { input: anything, ...faultExtras });
export const adminDetail = record(detailFields, {
  input: anything,
  ...faultExtras,
  refundable_credits: number,
  takeable_credits: number,
});

/** 422 in Execute shape: every fault has the four members, with null for the input that is missing. */
export const invalidCall = record(
  {
    ...refusal,
    details: listOf(record({ type: filledText, loc: listOf(anything), msg: filledText, input: anything }, faultExtras)),
  },
  refusalExtras,
);

/** 402 in Execute shape. */
export const unaffordableCall = record(
  {
    ...refusal,
    code: oneOf('insufficient_credits', 'budget_exceeded', 'payment_required'),
    remaining_credits: within(0, 9e9),
    details: anything,
  },
  refusalExtras,
);

/** The state of a call, by its id or by its idempotency key. */
export const executionLookUp = record(
  {
    status: oneOf('pending', 'completed', 'unavailable'),
    execution_id: executionId,
    execution_state: oneOf('pending', 'completed', 'refused', 'interrupted'),
    provider_request_dispatched: boolean,
    settlement_state: oneOf('pending', 'settled', 'uncollected', 'not_applicable'),
    retry_disposition: oneOf('terminal', 'reconcile_first'),
  },
  {
    amount_credits: within(0, 1e9),
    ledger_entry_id: ledgerId,
    response: anyObject,
    response_http_status: integer,
    result_unavailable_reason: oneOf('interrupted', 'not_kept'),
  },
);

/** 200 of a Call, whatever came of it. */
export const executeAnswer = record(
  { execution_id: executionId, success: boolean, result: anyObject, execution_time: seconds },
  { ...optionalFields, error_message: nullable(text), billing: bill },
);

const decidedCandidate = record(
  {
    tool_id: filledText,
    provider_id: filledText,
    upper_price_credits: within(0, 1e9),
    score: within(0, 1),
    factors: anyObject,
    calls: integer,
    exploration: boolean,
    explanation: filledText,
  },
  {},
);
const attemptReport = record(
  {
    tool_id: filledText,
    tool_version: integer,
    status: oneOf('served', 'failed', 'skipped', 'abandoned'),
    reason: filledText,
  },
  { outcome: filledText, elapsed_time_ms: number, message: filledText, hedge: oneOf(true) },
);
const meant = { capability_id: filledText, certainty: within(0, 1) };

const routing = record(
  { chosen: nullable(filledText), attempts: listOf(attemptReport) },
  {
    candidates: listOf(decidedCandidate),
    excluded: listOf(record({ tool_id: filledText, reason: filledText, explanation: filledText })),
    not_asked: listOf(filledText),
    resolution: record({ ...meant, nearest: listOf(record(meant)) }),
  },
);

/** 200 of a CAP query, whatever came of it. */
export const capabilityAnswer = record(
  {
    execution_id: executionId,
    capability_id: filledText,
    success: boolean,
    result: record({ status_code: integer }, { data: anything }),
    cost: within(0, 1e9),
    credits_used: within(0, 1e9),
    routing,
  },
  {
    ...optionalFields,
    contract_version: integer,
    schema_hash: sha256,
    error_message: nullable(text),
    execution_time: seconds,
    parameters: anyObject,
    billing: bill,
  },
);

/** A refusal in Execute shape. */
export const executeRefusal = record(refusal, { ...refusalExtras, details: listOf(anyObject) });

/** A refusal of a CAP query: from where on the query is a call, it has the members of Execute too. */
export const capabilityRefusal = record(
  { ...errorMembers, execution_id: executionId, message: filledText },
  {
    ...refusal,
    ...refusalExtras,
    details: listOf(anyObject),
    capability_id: filledText,
    contract_version: integer,
    schema_hash: sha256,
    parameters: anyObject,
    routing,
    nearest: listOf(record(meant)),
    credits_used: within(0, 1e9),
  },
);
