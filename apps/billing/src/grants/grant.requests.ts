import { Instant, OptionalInteger } from '@capability-router/service-kit';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { invalidMember } from '../admin-requests/admin-request.js';
import { CommandRequest } from '../admin-requests/command.request.js';
import { CreditAmount, Currency, MoneyAmount } from '../admin-requests/fields.js';
import { traitsOf } from '../ledger/domain/entry-types.js';
import type { MoneyPaid } from '../ledger/domain/money-paid.js';
import { grantCategories, grantCategoryNames, type GrantCategory } from './domain/grant-categories.js';

/** Body of `POST /admin/v1/accounts/{account_id}/grants`. */
export class GrantRequest extends CommandRequest {
  @IsIn(grantCategoryNames)
  readonly category: GrantCategory;

  @CreditAmount()
  readonly amount_credits: number;

  /** Absent or null: never. */
  @IsOptional()
  @Instant()
  readonly expires_at?: string | null;

  /** The money that was paid for purchased credits; with `paid_currency`. */
  @IsOptional()
  @MoneyAmount()
  readonly paid_amount?: string | null;

  @IsOptional()
  @Currency()
  readonly paid_currency?: string | null;
}

/** The money that a valid body names; undefined where it names none. Throws a 422 where it names half of it, or for a gift. */
export function paidBy({
  paid_amount: amount,
  paid_currency: currency,
  category,
}: GrantRequest): MoneyPaid | undefined {
  if (amount == null && currency == null) return undefined;
  if (amount == null)
    throw invalidMember('paid_amount', 'paid_amount is missing beside paid_currency: send both, or none');
  if (currency == null)
    throw invalidMember('paid_currency', 'paid_currency is missing beside paid_amount: send both, or none');
  if (traitsOf(grantCategories[category].entryType).paid === true)
    return { paidAmount: amount, paidCurrency: currency };
  throw invalidMember('paid_amount', 'paid_amount is for credits of category purchased: leave it out for a gift');
}

/** Rows of one page. */
const MAX_GRANTS_PER_PAGE = 200;

/** Query of `GET /admin/v1/accounts/{account_id}/grants`. */
export class GrantPageQuery {
  @OptionalInteger(1, MAX_GRANTS_PER_PAGE)
  readonly limit: number = MAX_GRANTS_PER_PAGE;

  /** Grants older than this one. */
  @IsOptional()
  @Matches(/^led_[0-9a-f]{32}$/, { message: '$property must be the grant_id that a page ended with' })
  readonly before?: string;
}
