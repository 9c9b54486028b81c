import { OneLine } from '@capability-router/service-kit';
import { applyDecorators } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';

/** Characters. */
const MAX_SESSION_ID_LENGTH = 200;
const MAX_SEARCH_ID_LENGTH = 200;

/** An optional id that callers choose; null counts as absent. */
const CallerId = (maxLength: number): PropertyDecorator =>
  applyDecorators(IsOptional(), IsString(), MaxLength(maxLength), OneLine());

export const SessionId = (): PropertyDecorator => CallerId(MAX_SESSION_ID_LENGTH);
export const SearchIdHint = (): PropertyDecorator => CallerId(MAX_SEARCH_ID_LENGTH);
