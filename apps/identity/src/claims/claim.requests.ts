import { languages, type Language } from '@capability-router/contracts';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { MAX_EMAIL_LENGTH } from '../email-addresses/email-address.js';

/** Members of both bodies. Unknown ones are ignored. */
class ClaimBody {
  @IsString()
  @Matches(/^clm_[0-9a-hjkmnp-tv-z]{26}$/, {
    message: '$property must be the claim code that the registration answered',
  })
  readonly claim_code: string;

  /** Judged further when the body is known to have its form. */
  @IsString()
  @MaxLength(MAX_EMAIL_LENGTH)
  readonly email: string;
}

/** Body of `POST /agent/claim`. */
export class StartClaimRequest extends ClaimBody {
  /** Language of the mail; where absent or null, what `Accept-Language` asks for. */
  @IsOptional()
  @IsIn(languages)
  readonly locale?: Language | null;
}

/** Body of `POST /agent/claim-verify`. */
export class VerifyClaimRequest extends ClaimBody {
  @Matches(/^[0-9]{6}$/, { message: '$property must be the six digits that were mailed' })
  readonly code: string;
}
