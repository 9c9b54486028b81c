import { chargeOutcomes, credentialTypes, outcomes, reasonCodes, usageEventTypes } from '@capability-router/contracts';
import { OptionalInteger, queryBoolean, queryNumber, lowerCaseUuid } from '@capability-router/service-kit';
import { IsBoolean, IsIn, IsNumber, IsOptional, IsString, IsUUID, Matches, MaxLength } from 'class-validator';
import { aNumber } from '../queries/credit-range.js';
import { MAX_CURSOR_CHARACTERS } from '../queries/cursor.js';
import { DEFAULT_FEED_PAGE_SIZE, MAX_FEED_PAGE_SIZE } from '../queries/feed.js';
import type { Bucket } from '../queries/summary-window.js';
import { anomalies, type Anomaly } from './domain/anomalies.js';
import { usageKinds, type UsageKind } from './domain/usage-kinds.js';

const DEFAULT_USAGE_PAGE_SIZE = 50;
export const MAX_USAGE_PAGE_SIZE = 50_000;
/** Pages beyond it belong to the cursor feed. */
export const MAX_PAGE = 1_000_000;
const MAX_DATE_CHARACTERS = 40;
/** As many as Call takes: it records any text, so any text finds it. PostgreSQL has no character 0. */
const searchIdText = /^[^\0]{1,200}$/s;
const searchId = { message: '$property must be a search id, as /search answers it: srch_…; at most 200 characters' };
const executionId = { message: '$property must be an execution id, as /tools/execute answers it: exec_…' };
const clientIdText = /^[^\0]{1,2048}$/s;
const clientId = { message: '$property must be the id of an OAuth client, of 1 to 2048 characters' };

/**
 * The filters of every read of several usage events. Dates and amounts are judged later: their faults are 400, not 422.
 */
export class UsageFilterQuery {
  @IsOptional() @IsString() @MaxLength(MAX_DATE_CHARACTERS) start_date?: string;
  @IsOptional() @IsString() @MaxLength(MAX_DATE_CHARACTERS) end_date?: string;
  @IsOptional() @IsIn(usageEventTypes) event_type?: string;
  @IsOptional() @IsIn(usageKinds) kind?: UsageKind;
  @IsOptional() @queryBoolean() @IsBoolean() success?: boolean;
  @IsOptional() @queryBoolean() @IsBoolean() billable_success?: boolean;
  @IsOptional() @IsIn(outcomes) outcome?: string;
  @IsOptional() @IsIn(reasonCodes) reason_code?: string;
  @IsOptional() @queryBoolean() @IsBoolean() has_execution_outcome?: boolean;
  @IsOptional() @IsIn(chargeOutcomes) charge_outcome?: string;
  @IsOptional() @IsIn(anomalies) anomaly?: Anomaly;
  @IsOptional() @Matches(searchIdText, searchId) search_id?: string;
  @IsOptional() @Matches(/^exec_\w{1,64}$/, executionId) execution_id?: string;
  @IsOptional() @lowerCaseUuid() @IsUUID() api_key_id?: string;
  @IsOptional() @Matches(clientIdText, clientId) oauth_client_id?: string;
  @IsOptional() @lowerCaseUuid() @IsUUID() project_id?: string;
  @IsOptional() @IsIn(credentialTypes) credential_type?: string;
}

/** Query of `GET /auth/usage/history/v2/export`. */
export class UsageExportQuery extends UsageFilterQuery {
  @IsOptional() @queryNumber() @IsNumber({}, aNumber) min_credits?: number;
  @IsOptional() @queryNumber() @IsNumber({}, aNumber) max_credits?: number;
}

/** Query of `GET /auth/usage/history/v2`. `bucket` was judged before. */
export class UsageHistoryQuery extends UsageExportQuery {
  @OptionalInteger(1, MAX_PAGE) page: number = 1;
  @OptionalInteger(1, MAX_USAGE_PAGE_SIZE) page_size: number = DEFAULT_USAGE_PAGE_SIZE;
  @OptionalInteger(1) limit?: number;
  @IsOptional() @queryBoolean() @IsBoolean() include_details: boolean = false;
  @IsOptional() @queryBoolean() @IsBoolean() summary: boolean = false;
  @IsOptional() @IsString() bucket?: Bucket;
}

/** Query of `GET /auth/usage/history/v2/summary`. */
export class UsageFeedQuery extends UsageFilterQuery {
  @IsOptional() @IsString() @MaxLength(MAX_CURSOR_CHARACTERS) cursor?: string;
  @OptionalInteger(1, MAX_FEED_PAGE_SIZE) page_size: number = DEFAULT_FEED_PAGE_SIZE;
}

/** Query of `GET /auth/usage/credits-spent`. */
export class CreditsSpentQuery {
  @IsOptional() @IsString() @MaxLength(MAX_DATE_CHARACTERS) start_date?: string;
  @IsOptional() @IsString() @MaxLength(MAX_DATE_CHARACTERS) end_date?: string;
  @IsOptional() @IsIn(usageKinds) kind?: UsageKind;
  @IsOptional() @IsIn(chargeOutcomes) charge_outcome?: string;
  @IsOptional() @lowerCaseUuid() @IsUUID() project_id?: string;
}
