import { METRICS } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, type Registry } from 'prom-client';

/** The result of a request with a well-formed idempotency key; `first`: it was not known, so the call went its usual way. */
export type KeyedRequestResult = 'first' | 'replayed' | 'still_running' | 'other_request';

@Injectable()
export class KeyedRequestMetrics {
  private readonly requests: Counter<'result'>;

  constructor(@Inject(METRICS) registry: Registry) {
    this.requests = new Counter({
      name: 'idempotent_requests_total',
      help: 'Calls with an Idempotency-Key: the first of their key, replayed, refused while it runs or for another body.',
      labelNames: ['result'] as const,
      registers: [registry],
    });
  }

  count(result: KeyedRequestResult): void {
    this.requests.inc({ result });
  }
}
