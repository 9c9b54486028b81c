import { ledgerEntryTypes } from '@capability-router/contracts';
import { queryInteger, queryNumber } from '@capability-router/service-kit';
import { IsIn, IsInt, IsNumber, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

export const DEFAULT_LEDGER_PAGE_SIZE = 50;
export const MAX_LEDGER_PAGE_SIZE = 500;
const MAX_PAGE = 1_000_000;
const MAX_TEXT_CHARACTERS = 64;

/** Query of `GET /auth/credits/ledger`. Direction and amounts are judged later: their faults are 400, not 422. */
export class LedgerQuery {
  @IsOptional() @IsString() @MaxLength(MAX_TEXT_CHARACTERS) start_date?: string;
  @IsOptional() @IsString() @MaxLength(MAX_TEXT_CHARACTERS) end_date?: string;
  @IsOptional() @IsIn(ledgerEntryTypes) entry_type?: string;
  @IsOptional() @IsIn(['account_history', 'all']) scope?: 'account_history' | 'all';
  @IsOptional() @IsString() @MaxLength(MAX_TEXT_CHARACTERS) direction?: string;
  @IsOptional() @queryNumber() @IsNumber() min_credits?: number;
  @IsOptional() @queryNumber() @IsNumber() max_credits?: number;
  @IsOptional() @queryInteger() @IsInt() @Min(1) @Max(MAX_PAGE) page?: number;
  @IsOptional() @queryInteger() @IsInt() @Min(1) @Max(MAX_LEDGER_PAGE_SIZE) page_size?: number;
  @IsOptional() @queryInteger() @IsInt() @Min(1) limit?: number;
}
