/** Answers to administrators about credits, exceptions, imports of usage, and calls. */
import { accountId, envelope, executionId, ledgerId } from './common-shapes.js';
import { validationDetail } from './execution-shapes.js';
import {
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
} from './shapes.js';

const billableId = matching(/^(exec|srch|imp)_[0-9a-f]{32}$/);
const exceptionId = matching(/^xcp_[0-9a-f]{32}$/);
const category = oneOf('purchased', 'welcome_bonus', 'invite_reward', 'trial');
const balance = within(0, 9e9);
const entry = { account_id: accountId, entry_type: filledText, amount_credits: number };

const grant = record(
  { grant_id: ledgerId, ...entry, category, balance_credits: balance, created_at: timestamp },
  { expires_at: timestamp },
);
const grants = record(
  {
    items: listOf(
      record(
        {
          grant_id: ledgerId,
          entry_type: filledText,
          category: filledText,
          amount_credits: number,
          remaining_credits: balance,
          granted_at: timestamp,
        },
        { expires_at: timestamp, reference: filledText, paid_amount: filledText, paid_currency: filledText },
      ),
    ),
    has_more: boolean,
  },
  { next_before: ledgerId },
);
const refund = record(
  {
    ledger_entry_id: ledgerId,
    ...entry,
    charge_entry_id: ledgerId,
    charge_ref_id: billableId,
    charged_credits: number,
    refunded_credits: number,
    restored: listOf(record({ grant_id: ledgerId, amount_credits: number })),
    balance_credits: balance,
    created_at: timestamp,
  },
  { execution_id: executionId },
);
const paymentRefund = record({
  ledger_entry_id: ledgerId,
  ...entry,
  grant_id: ledgerId,
  balance_credits: balance,
  created_at: timestamp,
});
const correction = record(
  { ...entry, balance_credits: balance, created_at: timestamp },
  {
    ledger_entry_id: ledgerId,
    corrected_entry_id: ledgerId,
    grant_id: ledgerId,
    category,
    expires_at: timestamp,
  },
);

const exceptionState = oneOf('open', 'refunded', 'confirmed', 'written_off', 'cleared');
const exceptionFields = {
  exception_id: exceptionId,
  kind: filledText,
  state: exceptionState,
  account_id: accountId,
  source_ref_type: oneOf('execution', 'search', 'import'),
  source_ref_id: billableId,
  usage_event_id: uuid,
  requested_credits: number,
  charged_credits: number,
  refunded_credits: number,
  uncollected_credits: number,
  actions: listOf(oneOf('confirm', 'refund', 'write-off')),
  raised_at: timestamp,
};
const exceptionExtras = { execution_id: executionId, ledger_entry_id: ledgerId, closed_at: timestamp };
const action = record(
  { action: oneOf('refunded', 'confirmed', 'written_off', 'cleared'), acted_by: filledText, acted_at: timestamp },
  { amount_credits: nullable(number), ledger_entry_id: nullable(ledgerId), reference: filledText, note: filledText },
);
const exceptions = record(
  { items: listOf(record(exceptionFields, exceptionExtras)), has_more: boolean, page_size: integer },
  { next_cursor: filledText },
);
const exception = record({ ...exceptionFields, history: listOf(action) }, exceptionExtras);
const resolved = record(
  {
    exception_id: exceptionId,
    account_id: accountId,
    kind: filledText,
    state: oneOf('confirmed', 'refunded', 'written_off'),
    closed_at: timestamp,
  },
  { refund, amount_credits: number },
);

const importedUsage = record({
  rows: integer,
  results: record({ imported: integer, duplicate: integer, conflict: integer, rejected: integer }),
  items: listOf(
    record(
      { row: integer, status: oneOf('imported', 'duplicate', 'conflict', 'rejected') },
      {
        import_id: text,
        source_ref_id: matching(/^imp_[0-9a-f]{32}$/),
        usage_event_id: uuid,
        ledger_entry_id: ledgerId,
        code: filledText,
        message: filledText,
        detail: listOf(validationDetail),
      },
    ),
  ),
});

const revision = record(
  {
    execution_id: executionId,
    usage_event_id: uuid,
    account_id: accountId,
    outcome: filledText,
    reason_code: filledText,
    previous_outcome: filledText,
    previous_reason_code: filledText,
    revised_by: filledText,
    revised_at: timestamp,
  },
  { reference: filledText },
);
const breakers = record({
  replica_id: filledText,
  items: listOf(record({ provider_id: filledText, breaker: oneOf('open', 'half_open') })),
});

const sealedField = record({ field: filledText, key_id: filledText, set_at: timestamp, sealed_at: timestamp });
const accepted = listOf(record({ auth: filledText, fields: listOf(filledText) }));
const credentials = record(
  { provider_id: filledText, fields: listOf(sealedField) },
  { credential: oneOf('deployment', 'account'), accepts: accepted },
);
const allCredentials = record(
  {
    items: listOf(record({ provider_id: filledText, fields: listOf(sealedField) })),
    current_key_id: filledText,
    sealed_with: listOf(record({ key_id: filledText, credentials: integer, known: boolean })),
  },
  { next_after: filledText },
);
const rotatedCredentials = record(
  {
    current_key_id: filledText,
    resealed: integer,
    unreadable_count: integer,
    unreadable: listOf(record({ owner: filledText, provider_id: filledText, key_id: filledText, reason: filledText })),
  },
  { next_after: filledText },
);

export const adminCreditShapes = {
  GrantAnswer: envelope(grant),
  GrantsAnswer: envelope(grants),
  RefundAnswer: envelope(refund),
  PaymentRefundAnswer: envelope(paymentRefund),
  CorrectionAnswer: envelope(correction),
  ExceptionsAnswer: envelope(exceptions),
  ExceptionAnswer: envelope(exception),
  ResolvedExceptionAnswer: envelope(resolved),
  UsageImportAnswer: envelope(importedUsage),
  OutcomeRevisionAnswer: envelope(revision),
  ProviderBreakersAnswer: envelope(breakers),
  DeploymentCredentialsAnswer: envelope(credentials),
  DeletedCredentialsAnswer: envelope(record({ provider_id: filledText, deleted: boolean })),
  AllCredentialsAnswer: envelope(allCredentials),
  RotatedCredentialsAnswer: envelope(rotatedCredentials),
};
