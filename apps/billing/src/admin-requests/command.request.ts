import { IsOptional } from 'class-validator';
import { Note, Reference } from './fields.js';

/** Members of the body of every command that moves the credits of an account. */
export class CommandRequest {
  /** In the operator's own books: of the payment, say. */
  @IsOptional()
  @Reference()
  readonly reference?: string | null;

  @IsOptional()
  @Note()
  readonly note?: string | null;
}
