import { OptionalInteger, lowerCaseUuid } from '@capability-router/service-kit';
import { IsOptional, IsUUID } from 'class-validator';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

/** A page in the order in which keys were issued. */
export class NarrowedKeysQuery {
  @OptionalInteger(1, MAX_LIMIT)
  readonly limit: number = DEFAULT_LIMIT;

  /** `next_after` of the page before. */
  @IsOptional()
  @lowerCaseUuid()
  @IsUUID()
  readonly after?: string;
}
