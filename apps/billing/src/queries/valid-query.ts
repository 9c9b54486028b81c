import { requireValid } from '@capability-router/service-kit';
import { invalidQuery } from './date-window.js';
import { buckets, type Bucket } from './summary-window.js';

type Class<T> = new () => T;

/** Query parameters as an instance of `dto`. Unknown ones are ignored, as everywhere on the web. Throws a 422. */
export function validQuery<T extends object>(dto: Class<T>, raw: unknown): T {
  return requireValid(dto, raw, { allowUnknown: true, location: 'query' });
}

/** The valid query of a list with a summary. Throws a 400 for the bucket. */
export function validSummaryQuery<T extends { bucket?: Bucket }>(dto: Class<T>, raw: unknown): T {
  const { bucket } = raw as { readonly bucket?: unknown };
  if (bucket !== undefined && !(buckets as readonly unknown[]).includes(bucket)) {
    throw invalidQuery('Invalid bucket. Use hour, day, or week.');
  }
  return validQuery(dto, raw);
}
