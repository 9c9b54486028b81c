import { queryInteger } from '@capability-router/service-kit';
import { IsIn, IsInt, IsISO8601, IsOptional, Matches, Max, Min } from 'class-validator';
import { CreditAmount, Note, Reference } from '../admin-commands/admin-request.js';
import { grantCategoryNames, type GrantCategory } from './grant-categories.js';

/** A date and time with its offset, so that nobody's time zone decides when credits end. */
const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

export const Instant = (): PropertyDecorator => {
  const iso = IsISO8601({ strict: true });
  const zoned = Matches(instantPattern, { message: '$property must be an ISO 8601 date and time with its offset' });
  return (target, property) => {
    iso(target, property);
    zoned(target, property);
  };
};

/** Body of `POST /admin/v1/accounts/{account_id}/grants`. */
export class GrantRequest {
  @IsIn(grantCategoryNames)
  readonly category: GrantCategory;

  @CreditAmount()
  readonly amount_credits: number;

  /** Absent or null: never. */
  @IsOptional()
  @Instant()
  readonly expires_at?: string | null;

  /** Of the payment, say. */
  @IsOptional()
  @Reference()
  readonly reference?: string | null;

  @IsOptional()
  @Note()
  readonly note?: string | null;
}

/** Rows of one page. */
export const MAX_GRANTS_PER_PAGE = 200;

/** Query of `GET /admin/v1/accounts/{account_id}/grants`. */
export class GrantPageQuery {
  @IsOptional()
  @queryInteger()
  @IsInt()
  @Min(1)
  @Max(MAX_GRANTS_PER_PAGE)
  readonly limit?: number;

  /** Grants older than this one. */
  @IsOptional()
  @Matches(/^led_[0-9a-f]{32}$/, { message: '$property must be the grant_id that a page ended with' })
  readonly before?: string;
}
