import { IsOptional, Matches } from 'class-validator';

/** Body of an action on a contract; may be left out. */
export class CapabilityActionRequest {
  /** Names the contract that was looked at; nothing is done where it is another one by now. */
  @IsOptional()
  @Matches(/^[0-9a-f]{64}$/, { message: '$property must be the schema_hash of the contract, 64 hex digits' })
  readonly schema_hash?: string | null;
}
