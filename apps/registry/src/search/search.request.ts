import { languages } from '@capability-router/contracts';
import type { Language, ValidationDetail } from '@capability-router/contracts';
import { fail, isToolId } from '@capability-router/kernel';
import type { Result } from '@capability-router/kernel';
import { validateBody } from '@capability-router/service-kit';
import { queryTerms } from '@capability-router/tool-search';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { noControlCharacters, readableText, SessionId } from '../discovery/text-rules.js';

/** Characters. */
const MAX_QUERY_LENGTH = 2_000;
const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 20;
const views = ['full', 'routing'] as const;

/** Body of `POST /search`. Unknown members are ignored; null counts as absent. */
export class SearchRequest {
  @IsString()
  @MaxLength(MAX_QUERY_LENGTH)
  @Matches(/\S/u, { message: 'query must not be blank' })
  @Matches(readableText, noControlCharacters)
  readonly query: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  readonly limit?: number | null;

  @SessionId()
  readonly session_id?: string | null;

  @IsOptional()
  @IsIn(views)
  readonly view?: (typeof views)[number] | null;

  @IsOptional()
  @IsIn(languages)
  readonly lang?: Language | null;
}

export const searchRequestMembers = ['query', 'limit', 'session_id', 'view', 'lang'] as const;

/** The request, or what is wrong with it. */
export function validateSearch(body: unknown): Result<SearchRequest, ValidationDetail[]> {
  const valid = validateBody(SearchRequest, body, { allowUnknown: true });
  if (!valid.ok || isToolId(valid.value.query.trim()) || queryTerms(valid.value.query, 1).length > 0) return valid;
  const msg = 'query has no word to search by; say in a few words what the tool should do';
  return fail([{ type: 'value_error', loc: ['body', 'query'], msg }]);
}
