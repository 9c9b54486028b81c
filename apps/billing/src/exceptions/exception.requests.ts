import { OptionalInteger } from '@capability-router/service-kit';
import { IsIn, IsOptional, Matches, MaxLength } from 'class-validator';
import { Note, Reference } from '../admin-requests/fields.js';
import { MAX_CURSOR_CHARACTERS } from '../queries/cursor.js';
import { queuedKinds, type QueuedKind } from './domain/exception-kinds.js';

const DEFAULT_EXCEPTIONS_PER_PAGE = 50;
export const MAX_EXCEPTIONS_PER_PAGE = 200;

/** Query of `GET /admin/v1/exceptions`. */
export class ExceptionPageQuery {
  @IsOptional()
  @IsIn(['open', 'closed', 'all'])
  readonly state: 'open' | 'closed' | 'all' = 'open';

  @IsOptional()
  @IsIn(queuedKinds)
  readonly kind?: QueuedKind;

  @IsOptional()
  @Matches(/^acc_[0-9a-f]{32}$/, { message: '$property must be acc_ and 32 hex digits' })
  readonly account_id?: string;

  /** The call, billed search or imported model call that the exception is about. */
  @IsOptional()
  @Matches(/^(?:exec|srch|imp)_[0-9a-f]{32}$/, { message: '$property must be exec_, srch_ or imp_ and 32 hex digits' })
  readonly execution_id?: string;

  @IsOptional()
  @MaxLength(MAX_CURSOR_CHARACTERS)
  readonly cursor?: string;

  @OptionalInteger(1, MAX_EXCEPTIONS_PER_PAGE)
  readonly page_size: number = DEFAULT_EXCEPTIONS_PER_PAGE;
}

/** Body of `POST /admin/v1/exceptions/{exception_id}/refund`, `…/confirm` and `…/write-off`. */
export class ResolutionRequest {
  /** Why, for people; it goes when the account is erased. */
  @Note()
  readonly note: string;

  /** Stays. */
  @IsOptional()
  @Reference()
  readonly reference?: string | null;
}
