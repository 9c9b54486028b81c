import { ledgerEntryTypes } from '@capability-router/contracts';
import { OptionalInteger, queryBoolean, queryNumber } from '@capability-router/service-kit';
import { IsBoolean, IsIn, IsNumber, IsOptional, IsString, MaxLength } from 'class-validator';
import { aNumber } from '../queries/credit-range.js';
import type { Bucket } from '../queries/summary-window.js';
import { ledgerScopes, type LedgerScope } from './ledger-scopes.js';

const DEFAULT_LEDGER_PAGE_SIZE = 50;
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
  @IsOptional() @IsIn(ledgerScopes) scope: LedgerScope = 'account_history';
}

/** Query of `GET /auth/credits/ledger`. Direction and amounts are judged later, as dates are; `bucket` was before. */
export class LedgerQuery extends LedgerDatesQuery {
  @IsOptional() @IsIn(ledgerEntryTypes) entry_type?: string;
  @IsOptional() @IsString() @MaxLength(MAX_TEXT_CHARACTERS) direction: string = 'any';
  @IsOptional() @queryNumber() @IsNumber({}, aNumber) min_credits?: number;
  @IsOptional() @queryNumber() @IsNumber({}, aNumber) max_credits?: number;
  /** Entries of every type where it is absent. */
  @IsOptional() @IsIn(ledgerScopes) scope?: LedgerScope;
  @OptionalInteger(1, MAX_PAGE) page: number = 1;
  @OptionalInteger(1, MAX_LEDGER_PAGE_SIZE) page_size: number = DEFAULT_LEDGER_PAGE_SIZE;
  @OptionalInteger(1) limit?: number;
  @IsOptional() @queryBoolean() @IsBoolean() summary: boolean = false;
  @IsOptional() @IsString() bucket?: Bucket;
}
