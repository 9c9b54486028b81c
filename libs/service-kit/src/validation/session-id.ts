import { applyDecorators } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { isOneLine, OneLine } from './text-rules.js';

/** Characters. */
export const MAX_SESSION_ID_LENGTH = 200;

/** `session_id`, by one rule on every route that takes it: an optional line that callers choose. Null counts as absent. */
export const SessionId = (): PropertyDecorator =>
  applyDecorators(IsOptional(), IsString(), MaxLength(MAX_SESSION_ID_LENGTH), OneLine());

/** The same rule where a body is read member by member. */
export const isSessionId = (text: string): boolean => text === '' || isOneLine(text, MAX_SESSION_ID_LENGTH);

/** The same rule as JSON Schema. */
export const sessionIdSchema = {
  type: ['string', 'null'],
  maxLength: MAX_SESSION_ID_LENGTH,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
} as const;
