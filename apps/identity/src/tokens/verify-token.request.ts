import { IsOptional, IsString, MaxLength } from 'class-validator';

/** Characters of what is looked at; a longer text is no token of ours. */
const MAX_TEXT_LENGTH = 16_384;

/** Body of `POST /auth/verify-token`, where the token does not come in `Authorization`. */
export class VerifyTokenRequest {
  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  readonly token?: string | null;
}
