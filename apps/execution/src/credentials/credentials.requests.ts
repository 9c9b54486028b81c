import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

const wholeNumber = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;

/** A page in the order of provider ids. */
export class CredentialPageQuery {
  @IsOptional()
  @Transform(wholeNumber)
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
