import { languages, type Language, type ValidationDetail } from '@capability-router/contracts';
import type { Result } from '@capability-router/kernel';
import { SessionId, validateBody, VisibleText } from '@capability-router/service-kit';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';

/** Characters. */
const MAX_QUERY_LENGTH = 2_000;
const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 20;
const views = ['full', 'routing'] as const;

/** Body of `POST /search`. Unknown members are ignored; null counts as absent. */
export class SearchRequest {
  @IsString()
  @MaxLength(MAX_QUERY_LENGTH)
  @Matches(/\S/u, { message: 'query must not be blank' })
  @VisibleText()
  readonly query: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  readonly limit: number = DEFAULT_LIMIT;

  @SessionId()
  readonly session_id?: string | null;

  @IsOptional()
  @IsIn(views)
  readonly view: (typeof views)[number] = 'full';

  @IsOptional()
  @IsIn(languages)
  readonly lang?: Language | null;
}

export const searchRequestMembers = ['query', 'limit', 'session_id', 'view', 'lang'] as const;

/** The request, or what is wrong with it. One without a word to search by is a search that finds nothing. */
export const validateSearch = (body: unknown): Result<SearchRequest, ValidationDetail[]> =>
  validateBody(SearchRequest, body, { allowUnknown: true });
