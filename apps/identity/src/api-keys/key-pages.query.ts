import { OptionalInteger, lowerCaseUuid } from '@capability-router/service-kit';
import { IsOptional, IsUUID } from 'class-validator';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** A page of the keys of an account, for administrators. */
export class KeyListQuery {
  /** `next_before` of the page before. */
  @IsOptional()
  @lowerCaseUuid()
  @IsUUID()
  readonly before?: string;
}

/** A page of the account's own keys, newest first. */
export class OwnKeysQuery extends KeyListQuery {
  @OptionalInteger(1, MAX_LIMIT)
  readonly limit: number = DEFAULT_LIMIT;
}
