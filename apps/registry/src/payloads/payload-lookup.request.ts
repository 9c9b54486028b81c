import type { PayloadLookupRequest } from '@capability-router/contracts';
import { ArrayMaxSize, IsArray, IsString, IsUUID } from 'class-validator';

/** Usage events in one request. */
const MAX_USAGE_EVENT_IDS = 500;

export class PayloadLookupBody implements PayloadLookupRequest {
  @IsString()
  readonly accountId: string;

  @IsArray()
  @ArrayMaxSize(MAX_USAGE_EVENT_IDS)
  @IsUUID('all', { each: true })
  readonly usageEventIds: string[];
}
