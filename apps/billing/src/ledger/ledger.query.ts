import { ledgerEntryTypes } from '@capability-router/contracts';
import { queryBoolean, queryInteger, queryNumber } from '@capability-router/service-kit';
import { IsBoolean, IsIn, IsInt, IsNumber, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { aNumber } from '../queries/credit-range.js';
import type { Bucket } from '../queries/summary-window.js';
import { ledgerScopes, type LedgerScope } from './ledger-scopes.js';

export const DEFAULT_LEDGER_PAGE_SIZE = 50;
export const MAX_LEDGER_PAGE_SIZE = 500;
const MAX_PAGE = 1_000_000;
const MAX_TEXT_CHARACTERS = 64;

/** Query of `GET /auth/credits/ledger-readiness`. Dates are judged later: their faults are 400, not 422. */
export class LedgerDatesQuery {
  @IsOptional() @IsString() @MaxLength(MAX_TEXT_CHARACTERS) start_date?: string;
  @IsOptional() @IsString() @MaxLength(MAX_TEXT_CHARACTERS) end_date?: string;
}

/** Query of `GET /auth/credits/ledger/export`. */
export class LedgerExportQuery extends LedgerDatesQuery {
  @IsOptional() @IsIn(ledgerScopes) scope?: LedgerScope;
}

/** Query of `GET /auth/credits/ledger`. Direction and amounts are judged later, as dates are; `bucket` was before. */
export class LedgerQuery extends LedgerExportQuery {
  @IsOptional() @IsIn(ledgerEntryTypes) entry_type?: string;
  @IsOptional() @IsString() @MaxLength(MAX_TEXT_CHARACTERS) direction?: string;
  @IsOptional() @queryNumber() @IsNumber({}, aNumber) min_credits?: number;
  @IsOptional() @queryNumber() @IsNumber({}, aNumber) max_credits?: number;
  @IsOptional() @queryInteger() @IsInt() @Min(1) @Max(MAX_PAGE) page?: number;
  @IsOptional() @queryInteger() @IsInt() @Min(1) @Max(MAX_LEDGER_PAGE_SIZE) page_size?: number;
  @IsOptional() @queryInteger() @IsInt() @Min(1) limit?: number;
  @IsOptional() @queryBoolean() @IsBoolean() summary?: boolean;
  @IsOptional() @IsString() bucket?: Bucket;
}
