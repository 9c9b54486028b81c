import { OptionalInteger } from '@capability-router/service-kit';
import { IsIn, IsOptional, Matches } from 'class-validator';

const DEFAULT_ENTRIES_PER_PAGE = 500;
const MAX_ENTRIES_PER_PAGE = 1_000;

/** Query of `GET /admin/v1/ledger-entries`. */
export class AllEntriesQuery {
  @IsOptional()
  @IsIn(['ndjson', 'csv'])
  readonly format: 'ndjson' | 'csv' = 'ndjson';

  /** Entries after the one that has it. */
  @IsOptional()
  @Matches(/^\d{1,18}:\d{1,18}$/, { message: '$property must be the cursor of an entry that a page has shown' })
  readonly cursor?: string;

  @OptionalInteger(1, MAX_ENTRIES_PER_PAGE)
  readonly page_size: number = DEFAULT_ENTRIES_PER_PAGE;
}
