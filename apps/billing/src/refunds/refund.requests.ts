import { IsOptional, IsUUID, Matches } from 'class-validator';
import { CommandRequest } from '../admin-requests/command.request.js';
import { CreditAmount } from '../admin-requests/fields.js';

/** Exactly one of them says what is refunded. */
export const chargeNames = ['execution_id', 'search_id', 'source_ref_id', 'usage_event_id', 'ledger_entry_id'] as const;

/** Body of `POST /admin/v1/accounts/{account_id}/refunds`. */
export class RefundRequest extends CommandRequest {
  @IsOptional()
  @Matches(/^exec_[0-9a-f]{32}$/, { message: '$property must be exec_ and 32 hex digits' })
  readonly execution_id?: string | null;

  @IsOptional()
  @Matches(/^srch_[0-9a-f]{32}$/, { message: '$property must be srch_ and 32 hex digits' })
  readonly search_id?: string | null;

  /** The `source_ref_id` of the usage event, which an import answers, too. */
  @IsOptional()
  @Matches(/^(?:exec|srch|imp)_[0-9a-f]{32}$/, { message: '$property must be exec_, srch_ or imp_ and 32 hex digits' })
  readonly source_ref_id?: string | null;

  @IsOptional()
  @IsUUID(undefined, { message: '$property must be the id of a usage event, a UUID' })
  readonly usage_event_id?: string | null;

  @IsOptional()
  @Matches(/^led_[0-9a-f]{32}$/, { message: '$property must be led_ and 32 hex digits' })
  readonly ledger_entry_id?: string | null;

  /** Absent: all that was not refunded yet. */
  @IsOptional()
  @CreditAmount()
  readonly amount_credits?: number | null;
}

/** The charge that a valid body names. Undefined unless it names exactly one. */
export function chargeNamedBy(request: RefundRequest): string | undefined {
  const given = chargeNames.flatMap((name) => request[name] ?? []);
  return given.length === 1 ? given[0] : undefined;
}

/** Body of `POST /admin/v1/accounts/{account_id}/payment-refunds`. */
export class PaymentRefundRequest extends CommandRequest {
  @Matches(/^led_[0-9a-f]{32}$/, { message: '$property must be the grant_id of a top-up' })
  readonly grant_id: string;

  /** Absent: all that is left of the top-up and not held. */
  @IsOptional()
  @CreditAmount()
  readonly amount_credits?: number | null;
}
