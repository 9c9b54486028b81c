import { IsInt, IsOptional, Max, Min } from 'class-validator';

/** Seconds. */
const MAX_OVERLAP_SECONDS = 30 * 86_400;
const DEFAULT_OVERLAP_SECONDS = 86_400;

/** Body of `POST …/api-keys/{id}:rotate`; may be left out. */
export class RotateApiKeyRequest {
  /** The key before goes on for so long, a day where this is absent; 0 ends it at once. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_OVERLAP_SECONDS)
  readonly overlap_seconds: number = DEFAULT_OVERLAP_SECONDS;
}
