import { applyDecorators } from '@nestjs/common';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';

/** Characters. */
export const MAX_SESSION_ID_LENGTH = 200;
const MAX_SEARCH_ID_LENGTH = 200;

/** Text that people write: control characters but white space are refused. */
export const readableText = /^(?:\P{Cc}|[\t\n\r])*$/u;
/** Text of one line. */
export const plainText = /^\P{Cc}*$/u;
export const noControlCharacters = { message: '$property must not contain control characters' };

/** An optional id that callers choose; null counts as absent. */
const CallerId = (maxLength: number): PropertyDecorator =>
  applyDecorators(IsOptional(), IsString(), MaxLength(maxLength), Matches(plainText, noControlCharacters));

export const SessionId = (): PropertyDecorator => CallerId(MAX_SESSION_ID_LENGTH);
export const SearchIdHint = (): PropertyDecorator => CallerId(MAX_SEARCH_ID_LENGTH);
