import { reasonCodes, type ValidationDetail } from '@capability-router/contracts';
import {
  canonicalJson,
  creditsFromNumber,
  isAccountId,
  isUuid,
  sha256Hex,
  type AccountId,
  type JsonObject,
} from '@capability-router/kernel';
import { Instant, OneLine, SessionId, validateBody } from '@capability-router/service-kit';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
} from 'class-validator';
import { Reference } from '../admin-requests/fields.js';
import type { ModelCall } from './domain/model-call.js';

/** Credits of one call. */
const MAX_CALL_CREDITS = 1_000_000;
/** Characters. */
const MAX_MODEL_LENGTH = 200;
/** Characters of the id that a faulty row is named by. */
const MAX_NAMED_IMPORT_ID_LENGTH = 200;
/** Milliseconds: a day. */
const MAX_DURATION_MS = 86_400_000;
const MAX_TOKENS = 1_000_000_000;
/** Milliseconds for which an operator's clock may be ahead of ours. */
const MAX_AHEAD_MS = 300_000;
/** Milliseconds; what is older belongs to books that are closed. */
const MAX_AGE_MS = 366 * 86_400_000;

const CallCredits = (): PropertyDecorator =>
  ValidateBy({
    name: 'callCredits',
    constraints: [MAX_CALL_CREDITS],
    validator: {
      validate: (value: unknown) =>
        typeof value === 'number' && value >= 0 && value <= MAX_CALL_CREDITS && isExact(value),
      defaultMessage: () =>
        `$property must be a number of credits from 0 to ${MAX_CALL_CREDITS} with at most six decimals`,
    },
  });

/** One row of an import, as it is sent. */
export class ModelCallRow {
  /** The operator's own id of the call: it is imported once per account. */
  @Reference()
  readonly import_id: string;

  @Matches(/^acc_[0-9a-f]{32}$/, { message: '$property must be acc_ and 32 hex digits' })
  readonly account_id: string;

  @IsString()
  @MaxLength(MAX_MODEL_LENGTH)
  @OneLine({ filled: true })
  readonly model: string;

  /** When it ended. */
  @Instant()
  readonly occurred_at: string;

  /** Its price; 0 where it is included. A call that failed costs nothing. */
  @CallCredits()
  readonly amount_credits: number;

  @IsOptional()
  @IsBoolean()
  readonly success?: boolean | null;

  @IsOptional()
  @IsIn(reasonCodes)
  readonly reason_code?: string | null;

  @SessionId()
  readonly session_id?: string | null;

  @IsOptional()
  @Matches(/^[0-9a-f-]{36}$/, { message: '$property must be a UUID' })
  readonly api_key_id?: string | null;

  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(MAX_DURATION_MS)
  readonly duration_ms?: number | null;

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_TOKENS)
  readonly input_tokens?: number | null;

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_TOKENS)
  readonly output_tokens?: number | null;
}

/** Members that a row may leave out; they are no part of the hash by which a row that comes again is known. */
export const modelCallDefaults = { success: true, input_tokens: 0, output_tokens: 0 } as const;

export function readModelCall(
  row: unknown,
  nowMs: number,
): { readonly call: ModelCall } | { readonly detail: readonly ValidationDetail[]; readonly importId?: string } {
  const checked = validateBody(ModelCallRow, row);
  if (!checked.ok) return { detail: checked.error, ...importIdIn(row) };
  const given = checked.value;
  const occurredMs = Date.parse(given.occurred_at);
  const success = given.success ?? modelCallDefaults.success;
  const faults = [
    ...(isAccountId(given.account_id)
      ? []
      : [fault('account_id', 'account_id is malformed', { pattern: '^acc_[0-9a-f]{32}$' })]),
    ...(given.api_key_id == null || isUuid(given.api_key_id)
      ? []
      : [fault('api_key_id', 'api_key_id must be a UUID', { format: 'uuid' })]),
    ...(occurredMs > nowMs + MAX_AHEAD_MS ? [fault('occurred_at', 'occurred_at lies in the future')] : []),
    ...(occurredMs < nowMs - MAX_AGE_MS ? [fault('occurred_at', 'occurred_at lies more than 366 days back')] : []),
    ...(success || given.amount_credits === 0
      ? []
      : [fault('amount_credits', 'a call that failed costs 0 credits', { const: 0 })]),
  ];
  if (faults.length > 0) return { detail: faults, importId: given.import_id };
  return { call: { ...callOf(given, success), occurredMs, inputHash: hashOf(given) } };
}

function callOf(given: ModelCallRow, success: boolean): Omit<ModelCall, 'occurredMs' | 'inputHash'> {
  return {
    importId: given.import_id,
    accountId: given.account_id as AccountId,
    model: given.model,
    success,
    reasonCode: given.reason_code ?? (success ? 'result.valid' : 'provider.error'),
    amount: creditsFromNumber(given.amount_credits),
    ...(given.session_id == null ? {} : { sessionId: given.session_id }),
    ...(given.api_key_id == null ? {} : { apiKeyId: given.api_key_id }),
    ...(given.duration_ms == null ? {} : { durationMs: given.duration_ms }),
    inputTokens: given.input_tokens ?? modelCallDefaults.input_tokens,
    outputTokens: given.output_tokens ?? modelCallDefaults.output_tokens,
  };
}

/** Null and absent are the same input. */
function hashOf(given: ModelCallRow): string {
  const members = Object.entries(given as unknown as JsonObject).filter(([, value]) => (value ?? null) !== null);
  return sha256Hex(canonicalJson(Object.fromEntries(members)));
}

function importIdIn(row: unknown): { readonly importId?: string } {
  const id = (row as { import_id?: unknown } | null | undefined)?.import_id;
  return typeof id === 'string' && id.length <= MAX_NAMED_IMPORT_ID_LENGTH ? { importId: id } : {};
}

const fault = (name: string, msg: string, allowed?: JsonObject): ValidationDetail => ({
  type: 'value_error',
  loc: ['body', name],
  msg,
  ...(allowed === undefined ? {} : { allowed }),
});

function isExact(value: number): boolean {
  try {
    creditsFromNumber(value);
    return true;
  } catch {
    return false;
  }
}
