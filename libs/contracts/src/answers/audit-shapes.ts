/** The field tables of the audit, the ledger and the account, as checks. */
import { accountId, ledgerId, sha256 } from './common-shapes.js';
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
  timestamp,
  uuid,
  within,
  type Check,
} from './shapes.js';
import { executionOutcome } from './execution-shapes.js';

export const listWrapper = (item: Check): Check =>
  record({ items: listOf(item), total: integer, page: integer, page_size: integer, summary: nullable(anyObject) });

const sourceSystem = oneOf('execution', 'registry', 'capability-routing', 'billing', 'admin');
const sourceRefType = oneOf('execution', 'search', 'grant', 'refund', 'import');
const optionalText = nullable(text);
const optionalNumber = nullable(number);
const optionalBoolean = nullable(boolean);
const optionalObject = nullable(anyObject);

export const usageEventFields = {
  required: {
    id: uuid,
    event_type: oneOf('search', 'search_by_ids', 'tool_execute', 'capabilities_query', 'model_call'),
    kind: oneOf('discover', 'call', 'model'),
    source_system: sourceSystem,
    source_ref_type: sourceRefType,
    source_ref_id: filledText,
    success: boolean,
    charge_outcome: oneOf('charged', 'included', 'failed_not_charged', 'failed_charged_review'),
    billing_snapshot_status: oneOf('pending', 'settled', 'uncollected', 'not_applicable'),
    created_at: timestamp,
    effective_at: timestamp,
  },
  optional: {
    session_id: optionalText,
    search_id: optionalText,
    execution_id: optionalText,
    tool_id: optionalText,
    provider_id: optionalText,
    reason_code: optionalText,
    error_message: optionalText,
    duration_ms: optionalNumber,
    outcome_revised_at: timestamp,
    request_payload: anything,
    response_payload_summary: anything,
    execution_outcome: nullable(executionOutcome),
    billing_rule_snapshot: optionalObject,
    pre_settlement_bill: optionalObject,
    settlement_result: optionalObject,
    pre_settlement_amount_credits: optionalNumber,
    requested_amount_credits: optionalNumber,
    settled_amount_credits: optionalNumber,
    actual_amount_credits: optionalNumber,
    credits_ledger_entry_id: nullable(ledgerId),
    display_target: optionalText,
    billing_summary: optionalText,
    credential_type: nullable(oneOf('api_key', 'access_token', 'delegation_token')),
    api_key: nullable(record({ id: uuid }, { name: optionalText, masked_value: optionalText })),
    api_key_attribution_status: optionalText,
    project_id: uuid,
    trace_id: matching(/^[0-9a-f]{32}$/),
    model: optionalText,
    query: optionalText,
    transport_success: optionalBoolean,
    provider_success: optionalBoolean,
    result_valid: optionalBoolean,
    billable_success: optionalBoolean,
    outcome: optionalText,
    outcome_status: optionalText,
    outcome_message: optionalText,
    provider_status_code: optionalNumber,
    http_status_code: optionalNumber,
    valid_result_count: optionalNumber,
    raw_result_count: optionalNumber,
    chargeable_quantity: optionalNumber,
    retryable: optionalBoolean,
    display_severity: optionalText,
    billing_unit: optionalText,
    unit_price_credits: optionalNumber,
    quantity: optionalNumber,
    list_amount_credits: optionalNumber,
    minimum_charge_credits: optionalNumber,
    served_from_cache: boolean,
    details_available: boolean,
  },
};

export const usageEvent = record(usageEventFields.required, usageEventFields.optional);

const balance = record({ total_available_credits: within(0, 9e9) });

export const ledgerEntry = record(
  {
    id: ledgerId,
    entry_type: matching(/^(grant|consume)_[a-z_]+$/),
    amount_credits: number,
    source_system: sourceSystem,
    source_ref_type: sourceRefType,
    source_ref_id: filledText,
    balance_before: balance,
    balance_after: balance,
    description: filledText,
    created_at: timestamp,
    effective_at: timestamp,
  },
  {
    execution_id: optionalText,
    pre_settlement_bill: optionalObject,
    settlement_result: optionalObject,
    ledger_metadata: optionalObject,
    // The place in the account's hash chain, by which a reader proves that nothing is missing.
    entry_seq: integer,
    hash: sha256,
    lots: listOf(record({ lot_id: ledgerId, category: filledText, amount_credits: number })),
  },
);

const category = record({ remaining: within(0, 9e9), total: within(0, 9e9) });

export const credits = record(
  {
    remaining_credits: within(0, 9e9),
    held_credits: within(0, 9e9),
    daily_free: category,
    invite_reward: category,
    welcome_bonus: record({ remaining: within(0, 9e9), initial: within(0, 9e9) }),
    purchased: category,
    trial: category,
  },
  { next_expiry: anything },
);

/** `data` of a trial's registration. */
const apiKeyFields = {
  api_key_id: uuid,
  name: filledText,
  masked_value: filledText,
  scopes: listOf(oneOf('call', 'read', 'manage', 'admin')),
  created_at: timestamp,
};
const apiKeyExtras = { expires_at: timestamp, project_id: uuid, budget: anyObject, session_budget: anyObject };
/** A page of an account's own keys. */
export const apiKeyPage = record(
  { items: listOf(record(apiKeyFields, { ...apiKeyExtras, revoked_at: timestamp, last_used_at: timestamp })) },
  { next_before: uuid },
);
const securityActor = record(
  { type: oneOf('account', 'operator', 'anonymous', 'system') },
  {
    account_id: accountId,
    api_key_id: uuid,
    oauth_client_id: filledText,
    credential_type: filledText,
  },
);
/** A page of what happened to an account. */
export const securityLogPage = record(
  {
    items: listOf(
      record(
        {
          entry_id: uuid,
          action: matching(/^[a-z_]+\.[a-z_]+$/),
          actor: securityActor,
          occurrences: within(1, 9e9),
          recorded_at: timestamp,
          chain: filledText,
          entry_seq: within(1, 9e9),
          hash: sha256,
        },
        {
          account_id: accountId,
          object: record({ type: filledText, id: filledText }),
          reason: filledText,
          request_id: filledText,
          details: anyObject,
        },
      ),
    ),
  },
  { next_cursor: matching(/^\d+$/) },
);
export const issuedApiKey = record(
  {
    ...apiKeyFields,
    account_id: accountId,
    api_key: matching(/^sk-[A-Za-z0-9_-]{32,}$/),
  },
  { ...apiKeyExtras, replaces: uuid, replaced_expires_at: timestamp, pending: oneOf(true) },
);
export const revokedApiKey = record(
  { api_key_id: uuid, account_id: accountId, revoked_at: timestamp },
  { pending: oneOf(true) },
);

const projectFields = {
  project_id: uuid,
  account_id: accountId,
  name: filledText,
  state: oneOf('open', 'closed'),
  created_at: timestamp,
};
const memberKey = record({ api_key_id: uuid, name: filledText, masked_value: filledText });
/** One project; with its keys where it is read by itself. */
export const project = record(projectFields, {
  budget: anyObject,
  api_keys: listOf(memberKey),
  pending: oneOf(true),
});
export const projectList = record({ items: listOf(project) });
export const movedKey = record({ api_key_id: uuid, account_id: accountId }, { project_id: uuid, pending: oneOf(true) });

export const registration = record({
  agent_id: filledText,
  agent_name: filledText,
  account_id: accountId,
  api_key: matching(/^sk-[A-Za-z0-9_-]{32,}$/),
  claim_code: filledText,
  trial_credits: within(0, 1e6),
  expires_at: timestamp,
  limits: anyObject,
});

/** `data` of a claim whose mail is on its way. */
export const claimStart = record({
  status: oneOf('code_sent'),
  claim_id: uuid,
  email_masked: filledText,
  expires_at: timestamp,
  resend_after_seconds: integer,
});

/** `data` of a claim that is not taken. */
export const claimRiskBlock = record(
  {
    status: oneOf('blocked'),
    risk_code: oneOf('disposable_email', 'too_many_codes', 'too_many_claims', 'mail_unavailable'),
    message: filledText,
  },
  { retry_after_seconds: integer },
);

/** `data` of a claim that was verified. */
export const claimed = record(
  {
    status: oneOf('claimed'),
    account_id: accountId,
    email: filledText,
    api_key_still_valid: oneOf(true),
  },
  { remaining_credits: number, credits_ready: oneOf(false), pending: oneOf(true) },
);
