import { OptionalInteger } from '@capability-router/service-kit';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { LedgerExportQuery } from '../ledger/ledger.query.js';
import { MAX_CURSOR_CHARACTERS } from '../queries/cursor.js';
import { DEFAULT_FEED_PAGE_SIZE, MAX_FEED_PAGE_SIZE } from '../queries/feed.js';

/** Query of `GET /auth/account/settlement-history`. Dates are judged later: their faults are 400, not 422. */
export class SettlementHistoryQuery extends LedgerExportQuery {
  @IsOptional() @IsString() @MaxLength(MAX_CURSOR_CHARACTERS) cursor?: string;
  @OptionalInteger(1, MAX_FEED_PAGE_SIZE) page_size: number = DEFAULT_FEED_PAGE_SIZE;
}
