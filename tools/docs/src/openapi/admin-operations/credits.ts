/** Commands that move credits, and the calls that they were moved for. */
import {
  AllEntriesQuery,
  CorrectionRequest,
  ExceptionPageQuery,
  GrantPageQuery,
  GrantRequest,
  MAX_IMPORT_ROWS,
  modelCallDefaults,
  ModelCallRow,
  PaymentRefundRequest,
  RefundRequest,
  ResolutionRequest,
} from '@capability-router/billing/requests';
import { RevisionRequest } from '@capability-router/execution/requests';
import { usageImportOf } from '../own-schemas.js';
import { idempotencyKeyOfCommand } from '../parameters.js';
import { requestSchema } from '../request-schema.js';
import type { Operation, Operations } from '../operations/operation.js';

const modelCallRow = requestSchema(ModelCallRow, { nullable: true, closed: true, defaults: modelCallDefaults });

/** Every command that moves credits has these. */
const command = { parameters: [idempotencyKeyOfCommand], closed: true, replayed: true, statuses: [409] } as const;
const booked = { ...command, tag: 'Credits', success: 201 } as const;

const resolution = (verb: string, id: string, summary: string): Operation => ({
  ...command,
  id,
  tag: 'Exceptions',
  summary,
  answer: 'ResolvedExceptionAnswer',
  body: ResolutionRequest,
  action: { verb },
});

export const credits: Operations = {
  'GET /accounts/{accountId}/grants': {
    id: 'listGrants',
    tag: 'Credits',
    summary: 'The grants of an account and what is left of each, newest first.',
    answer: 'GrantsAnswer',
    query: GrantPageQuery,
  },
  'POST /accounts/{accountId}/grants': {
    ...booked,
    id: 'grantCredits',
    summary: 'Gives an account credits: a top-up, a reward, a bonus.',
    answer: 'GrantAnswer',
    body: GrantRequest,
  },
  'POST /accounts/{accountId}/refunds': {
    ...booked,
    id: 'refundCharge',
    summary: 'Gives the credits of a charge back, or a part of them.',
    answer: 'RefundAnswer',
    body: RefundRequest,
  },
  'POST /accounts/{accountId}/payment-refunds': {
    ...booked,
    id: 'refundPayment',
    summary: 'Takes the credits of a top-up whose money was paid back.',
    answer: 'PaymentRefundAnswer',
    body: PaymentRefundRequest,
  },
  'POST /accounts/{accountId}/corrections': {
    ...booked,
    id: 'correctCredits',
    summary: 'Corrects the balance of an account, or undoes an entry.',
    answer: 'CorrectionAnswer',
    body: CorrectionRequest,
  },
  'GET /ledger-entries': {
    id: 'readAllLedgerEntries',
    tag: 'Credits',
    summary: 'The ledger of all accounts in the order of commits, by cursor.',
    answer: { types: ['application/x-ndjson', 'text/csv'] },
    query: AllEntriesQuery,
  },
  'GET /exceptions': {
    id: 'listExceptions',
    tag: 'Exceptions',
    summary: 'What billing left to people, by cursor.',
    answer: 'ExceptionsAnswer',
    query: ExceptionPageQuery,
  },
  'GET /exceptions/{exceptionId}': {
    id: 'getException',
    tag: 'Exceptions',
    summary: 'One exception, with what was done about it.',
    answer: 'ExceptionAnswer',
  },
  'POST /exceptions/{exceptionId}/{resolution}': [
    resolution('refund', 'refundException', 'Gives back what was charged.'),
    resolution('confirm', 'confirmException', 'Leaves it as it is.'),
    resolution('write-off', 'writeOffException', 'Gives up what could not be collected.'),
  ],
  'POST /usage-events:import': {
    id: 'importUsage',
    tag: 'Calls',
    summary: 'Brings model calls into the audit, and charges them.',
    answer: 'UsageImportAnswer',
    body: usageImportOf(modelCallRow, MAX_IMPORT_ROWS),
    bodyTypes: ['application/json', 'application/x-ndjson'],
  },
  'POST /executions/{executionId}/outcome-revisions': {
    id: 'reviseOutcome',
    tag: 'Calls',
    summary: 'Says that a call which had succeeded was a failure.',
    answer: 'OutcomeRevisionAnswer',
    success: 201,
    body: RevisionRequest,
    closed: true,
    replayed: true,
    statuses: [409],
  },
};
