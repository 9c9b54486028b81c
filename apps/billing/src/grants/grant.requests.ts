import { OptionalInteger } from '@capability-router/service-kit';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { CommandRequest } from '../admin-requests/command.request.js';
import { CreditAmount, Instant } from '../admin-requests/fields.js';
import { grantCategoryNames, type GrantCategory } from './domain/grant-categories.js';

/** Body of `POST /admin/v1/accounts/{account_id}/grants`. */
export class GrantRequest extends CommandRequest {
  @IsIn(grantCategoryNames)
  readonly category: GrantCategory;

  @CreditAmount()
  readonly amount_credits: number;

  /** Absent or null: never. */
  @IsOptional()
  @Instant()
  readonly expires_at?: string | null;
}

/** Rows of one page. */
export const MAX_GRANTS_PER_PAGE = 200;

/** Query of `GET /admin/v1/accounts/{account_id}/grants`. */
export class GrantPageQuery {
  @OptionalInteger(1, MAX_GRANTS_PER_PAGE)
  readonly limit?: number;

  /** Grants older than this one. */
  @IsOptional()
  @Matches(/^led_[0-9a-f]{32}$/, { message: '$property must be the grant_id that a page ended with' })
  readonly before?: string;
}
