import { MAX_TOOL_ID_LENGTH } from '@capability-router/kernel';
import { OneLine, SessionId } from '@capability-router/service-kit';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional, IsString, MaxLength, MinLength } from 'class-validator';
import { SearchIdHint } from '../discovery/caller-ids.js';

/** Tools in one request. */
const MAX_TOOL_IDS = 100;
const views = ['full', 'lean'] as const;

/** Body of `POST /tools/by-ids`. Unknown members are ignored; null counts as absent. */
export class InspectRequest {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_TOOL_IDS)
  @IsString({ each: true })
  @MinLength(1, { each: true })
  @MaxLength(MAX_TOOL_ID_LENGTH, { each: true })
  @OneLine({ each: true })
  readonly tool_ids: string[];

  @SearchIdHint()
  readonly search_id?: string | null;

  @SessionId()
  readonly session_id?: string | null;

  @IsOptional()
  @IsIn(views)
  readonly view: (typeof views)[number] = 'full';
}

export const inspectRequestMembers = ['tool_ids', 'search_id', 'session_id', 'view'] as const;
