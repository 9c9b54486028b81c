import { OneLine } from '@capability-router/service-kit';
import { applyDecorators } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';

/** Characters. */
const MAX_SEARCH_ID_LENGTH = 200;

/** The search that callers say they come from; null counts as absent. */
export const SearchIdHint = (): PropertyDecorator =>
  applyDecorators(IsOptional(), IsString(), MaxLength(MAX_SEARCH_ID_LENGTH), OneLine());
