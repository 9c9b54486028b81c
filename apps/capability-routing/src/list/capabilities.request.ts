import { languages, type Language } from '@capability-router/contracts';
import { listBounds, OneLine, OptionalInteger } from '@capability-router/service-kit';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';

/** Characters. */
const MAX_QUERY_LENGTH = 200;

/** Query of `GET /capabilities`. Unknown parameters are ignored. */
export class CapabilitiesQuery {
  @IsOptional()
  @IsString()
  @MaxLength(MAX_QUERY_LENGTH)
  @OneLine()
  readonly query?: string;

  @OptionalInteger(0, listBounds.maxSkip)
  readonly skip: number = 0;

  @OptionalInteger(1, listBounds.maxLimit)
  readonly limit: number = listBounds.defaultLimit;

  @IsOptional()
  @IsIn(languages)
  readonly lang?: Language;
}
