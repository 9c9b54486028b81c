import { languages, type Language } from '@capability-router/contracts';
import { queryInteger } from '@capability-router/service-kit';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';

/** Characters. */
const MAX_QUERY_LENGTH = 200;
const MAX_SKIP = 1_000_000;
const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 50;

/** Query of `GET /capabilities`. Unknown parameters are ignored. */
export class CapabilitiesQuery {
  @IsOptional()
  @IsString()
  @MaxLength(MAX_QUERY_LENGTH)
  @Matches(/^\P{Cc}*$/u, { message: '$property must not contain control characters' })
  readonly query?: string;

  @IsOptional()
  @queryInteger()
  @IsInt()
  @Min(0)
  @Max(MAX_SKIP)
  readonly skip?: number;

  @IsOptional()
  @queryInteger()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  readonly limit?: number;

  @IsOptional()
  @IsIn(languages)
  readonly lang?: Language;
}
