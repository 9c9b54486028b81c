import { applyDecorators } from '@nestjs/common';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { queryInteger } from './query-values.js';

/** The bounds of lists that agents read by `skip` and `limit`. */
export const listBounds = { maxSkip: 1_000_000, maxLimit: 100, defaultLimit: 50 } as const;

/**
 * A whole number in a query that may be left out, such as `limit`, `page_size`, `page` or `skip`: from `min` to `max`,
 * without an upper bound where `max` is absent.
 */
export const OptionalInteger = (min: number, max?: number): PropertyDecorator =>
  applyDecorators(...(max === undefined ? [] : [Max(max)]), Min(min), IsInt(), queryInteger(), IsOptional());
