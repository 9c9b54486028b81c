import { AppError } from '@capability-router/kernel';
import { requireValid } from '@capability-router/service-kit';

type Class<T> = new () => T;

/** Parameters that the specification names and a later release answers; ignoring them would return the wrong rows. */
const notYet = new Set(['summary', 'bucket', 'anomaly', 'oauth_client_id']);

/** Query parameters as an instance of `dto`. Unknown ones are ignored, as everywhere on the web. Throws a 422. */
export function validQuery<T extends object>(dto: Class<T>, raw: unknown): T {
  const asked = Object.keys(raw as object).filter((name) => notYet.has(name));
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
