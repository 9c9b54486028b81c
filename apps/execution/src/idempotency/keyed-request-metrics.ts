import { Counter, type Registry } from 'prom-client';

/** What a request with a well-formed idempotency key came to; `first`: it was not known, so the call went its usual way. */
export type KeyedRequestResult = 'first' | 'replayed' | 'still_running' | 'other_request';

/** Injection token of `CountKeyed`. */
export const COUNT_KEYED = Symbol('COUNT_KEYED');

export type CountKeyed = (result: KeyedRequestResult) => void;

/** Call it once per registry. */
export function keyedRequestMetrics(registry: Registry): CountKeyed {
  const requests = new Counter({
    name: 'idempotent_requests_total',
    help: 'Calls with an Idempotency-Key: the first of their key, replayed, refused while it runs or for another body.',
    labelNames: ['result'] as const,
    registers: [registry],
  });
  return (result) => requests.inc({ result });
}
