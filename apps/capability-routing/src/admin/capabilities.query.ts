import { OptionalInteger } from '@capability-router/service-kit';
import { IsIn, IsOptional, Matches, MaxLength } from 'class-validator';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;
const MAX_ID_LENGTH = 200;

const flags = ['true', 'false'] as const;

/** Query of `PUT /admin/v1/capabilities/{capability_id}` and of imports. */
export class WriteQuery {
  @IsOptional() @IsIn(flags) readonly dry_run: 'true' | 'false' = 'false';
  @IsOptional() @IsIn(flags) readonly allow_breaking: 'true' | 'false' = 'false';
}

/** A page in the order of capability ids. */
export class ListCapabilitiesQuery {
  @IsOptional() @IsIn(['published', 'retired']) readonly status: 'published' | 'retired' = 'published';

  @OptionalInteger(1, MAX_LIMIT)
  readonly limit: number = DEFAULT_LIMIT;

  /** The last id of the page before. */
  @IsOptional()
  @MaxLength(MAX_ID_LENGTH)
  @Matches(/^[!-~]*$/, { message: '$property must be the id that the page before ended with' })
  readonly after?: string;
}
