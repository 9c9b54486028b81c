import { OptionalInteger, Time, timeOf } from '@capability-router/service-kit';
import { IsOptional, IsString, Matches } from 'class-validator';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
const accountPattern = /^acc_[0-9a-f]{32}$/;

/** A page of an account's own entries. */
export class OwnSecurityLogQuery {
  @OptionalInteger(1, MAX_LIMIT)
  readonly limit: number = DEFAULT_LIMIT;

  /** `next_cursor` of the page before. */
  @IsOptional()
  @IsString()
  @Matches(/^\d{1,18}$/, { message: '$property must be the next_cursor of a page before' })
  readonly cursor?: string;

  @IsOptional()
  @IsString()
  @Matches(/^[a-z_]{1,40}\.[a-z_]{1,40}$/, { message: 'action must be one as entries have it, such as key.revoked' })
  readonly action?: string;

  /** Inclusive. */
  @IsOptional()
  @Time()
  readonly from?: string;

  /** Exclusive. */
  @IsOptional()
  @Time()
  readonly to?: string;
}

/** A page of all entries. */
export class SecurityLogQuery extends OwnSecurityLogQuery {
  /** To whom it happened. */
  @IsOptional()
  @IsString()
  @Matches(accountPattern, { message: 'account_id must be acc_ and 32 hex digits' })
  readonly account_id?: string;

  /** Account of whoever did it. */
  @IsOptional()
  @IsString()
  @Matches(accountPattern, { message: 'actor must be acc_ and 32 hex digits' })
  readonly actor?: string;
}

/** The times of a query: from the first, inclusive, to the second, exclusive. */
export const windowOf = ({ from, to }: OwnSecurityLogQuery): { readonly from?: Date; readonly to?: Date } => ({
  ...(from === undefined ? {} : { from: timeOf(from) }),
  ...(to === undefined ? {} : { to: timeOf(to) }),
});
