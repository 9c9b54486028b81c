import { IsIn, IsNumber, IsOptional, MaxLength } from 'class-validator';
import { CreditNumber } from '../credit-number.decorator.js';
import { PlainText } from '../plain-text.decorator.js';
import { MAX_ACCOUNT_NAME_LENGTH } from './account.js';
import { MAX_EMAIL_LENGTH } from '../email-addresses/email-address.js';
import { Email } from './email.decorator.js';
import { Region } from './region.decorator.js';

/** Credits. */
const MAX_INITIAL_CREDITS = 1_000_000_000;

/** Body of `POST /admin/v1/accounts`. */
export class CreateAccountRequest {
  @IsIn(['trial', 'formal'])
  readonly kind: 'trial' | 'formal';

  @PlainText(1, MAX_ACCOUNT_NAME_LENGTH)
  readonly name: string;

  @IsOptional()
  @MaxLength(MAX_EMAIL_LENGTH)
  @Email()
  readonly email?: string | null;

  /** Where the account is; tools may be open to some regions only. */
  @IsOptional()
  @Region()
  readonly region?: string | null;

  /** Instead of what accounts of this kind start with by configuration. */
  @IsOptional()
  @IsNumber()
  @CreditNumber(MAX_INITIAL_CREDITS)
  readonly initial_credits?: number | null;
}
