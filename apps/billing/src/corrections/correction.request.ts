import { Instant } from '@capability-router/service-kit';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { CommandRequest } from '../admin-requests/command.request.js';
import { CreditAmount } from '../admin-requests/fields.js';
import { grantCategoryNames, type GrantCategory } from '../grants/domain/grant-categories.js';

/** Body of `POST /admin/v1/accounts/{account_id}/corrections`. */
export class CorrectionRequest extends CommandRequest {
  /** Above 0 gives, below 0 takes. */
  @CreditAmount({ signed: true })
  readonly amount_credits: number;

  /** The entry that is undone, whole or in part. */
  @IsOptional()
  @Matches(/^led_[0-9a-f]{32}$/, { message: '$property must be led_ and 32 hex digits' })
  readonly ledger_entry_id?: string | null;

  /** The category of the credits; only where they are given and no entry is undone, and then always. */
  @IsOptional()
  @IsIn(grantCategoryNames)
  readonly category?: GrantCategory | null;

  @IsOptional()
  @Instant()
  readonly expires_at?: string | null;
}
