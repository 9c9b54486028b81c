import { queryCount } from '@capability-router/service-kit';
import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

/** A page in the order of provider ids. */
export class CredentialPageQuery {
  @IsOptional()
  @queryCount()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  readonly limit: number = DEFAULT_LIMIT;

  /** The last provider id of the page before. */
  @IsOptional()
  @Matches(/^[a-z0-9_-]{0,63}$/, { message: '$property must be the provider_id that the page before ended with' })
  readonly after?: string;
}

/** Body of `POST /admin/v1/provider-credentials:rotate`; may be left out. */
export class RotateRequest {
  /** `next_after` of the answer before. */
  @IsOptional()
  @Matches(/^[a-z0-9_]{1,64}\/[a-z0-9_-]{1,63}$/, { message: '$property must be next_after of the answer before' })
  readonly after?: string | null;
}
