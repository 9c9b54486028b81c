import { OneLine, queryCount } from '@capability-router/service-kit';
import { IsIn, IsInt, IsOptional, Matches, Max, MaxLength, Min } from 'class-validator';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;
const MAX_ID_LENGTH = 200;

/** A page in the order of tool ids. */
export class PageQuery {
  @IsOptional()
  @queryCount()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  readonly limit: number = DEFAULT_LIMIT;

  /** The last tool id of the page before. */
  @IsOptional()
  @MaxLength(MAX_ID_LENGTH)
  @Matches(/^[!-~]*$/, { message: '$property must be the id that the page before ended with' })
  readonly after?: string;
}

export const toolStatuses = ['published', 'retired', 'quarantined', 'draft', 'rejected'] as const;
export type ToolStatus = (typeof toolStatuses)[number];

export class ListToolsQuery extends PageQuery {
  @IsOptional()
  @IsIn(toolStatuses)
  readonly status: ToolStatus = 'published';

  @IsOptional()
  @MaxLength(MAX_ID_LENGTH)
  @OneLine()
  readonly provider_id?: string;
}
