import { IsOptional, Matches } from 'class-validator';

/** Body of an action on a tool; may be left out. */
export class ToolActionRequest {
  /** Names the proposal that the operator looked at; nothing is done where another one waits by now. */
  @IsOptional()
  @Matches(/^[0-9a-f]{64}$/, { message: '$property must be the schema_hash of the proposal, 64 hex digits' })
  readonly schema_hash?: string | null;
}
