import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';

/** Characters. */
const MAX_ID_LENGTH = 200;
const visible = /^(?=.*\S)\P{Cc}*$/u;
const message = '$property must not be blank, and have no control characters';

/** A constrained delegation token is held to these. Without such a token they change nothing. */
export class CapabilityDetailQuery {
  @IsOptional() @IsString() @MaxLength(MAX_ID_LENGTH) @Matches(visible, { message }) readonly run_id?: string;
  @IsOptional() @IsString() @MaxLength(MAX_ID_LENGTH) @Matches(visible, { message }) readonly provider_id?: string;
}
