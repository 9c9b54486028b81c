import { AppError } from '@capability-router/kernel';
import { requireValid } from '@capability-router/service-kit';
import { invalidQuery } from './date-window.js';

type Class<T> = new () => T;

/** Parameters that the specification names and a later release answers; ignoring them would return the wrong rows. */
const notYet = new Set(['summary', 'bucket', 'anomaly', 'oauth_client_id']);

const buckets = ['hour', 'day', 'week'];

/** Query parameters as an instance of `dto`. Unknown ones are ignored, as everywhere on the web. Throws a 400 or 422. */
export function validQuery<T extends object>(dto: Class<T>, raw: unknown): T {
  const given = Object.entries(raw as Readonly<Record<string, unknown>>);
  for (const [name, value] of given) {
    if (name === 'bucket' && !buckets.includes(String(value))) {
      throw invalidQuery('Invalid bucket. Use hour, day, or week.');
    }
  }
  const asked = given.filter(([name, value]) => notYet.has(name) && !isDefault(name, value)).map(([name]) => name);
  if (asked.length > 0) {
    throw new AppError('validation_error', `${asked.join(', ')} is not supported by this release. Leave it out.`, {
      details: asked.map((name) => ({
        type: 'unsupported',
        loc: ['query', name],
        msg: 'not supported by this release',
      })),
    });
  }
  return requireValid(dto, raw, { allowUnknown: true, location: 'query' });
}

/** `summary=false` asks for what the list answers anyway. */
const isDefault = (name: string, value: unknown): boolean =>
  name === 'summary' && ['false', '0'].includes(String(value).toLowerCase());
