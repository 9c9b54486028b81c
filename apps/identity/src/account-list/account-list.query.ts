import { accountStates, type AccountState } from '@capability-router/contracts';
import { OneLine, OptionalInteger } from '@capability-router/service-kit';
import { IsIn, IsOptional, IsString, Length, Matches, MaxLength } from 'class-validator';
import { MAX_ACCOUNT_NAME_LENGTH } from '../accounts/account.js';
import { MAX_EMAIL_LENGTH } from '../email-addresses/email-address.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
/** Characters. */
const MAX_CURSOR_LENGTH = 800;

/** A page of accounts. One of `state`, `name` and `email` may be given. */
export class AccountListQuery {
  @OptionalInteger(1, MAX_LIMIT)
  readonly limit: number = DEFAULT_LIMIT;

  /** `next_cursor` of the page before. */
  @IsOptional()
  @IsString()
  @MaxLength(MAX_CURSOR_LENGTH)
  @Matches(/^[A-Za-z0-9_-]+$/, { message: '$property must be the next_cursor of a page before' })
  readonly cursor?: string;

  @IsOptional()
  @IsIn(accountStates)
  readonly state?: AccountState;

  /** The beginning of the name, whatever its case. */
  @IsOptional()
  @IsString()
  @Length(1, MAX_ACCOUNT_NAME_LENGTH)
  @OneLine()
  readonly name?: string;

  /** The whole address, whatever its case. */
  @IsOptional()
  @IsString()
  @Length(1, MAX_EMAIL_LENGTH)
  @OneLine()
  readonly email?: string;
}
