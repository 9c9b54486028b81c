import { METRICS } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, type Registry } from 'prom-client';
import type { CacheAnswer } from './provider-cache.js';

const results: Readonly<Record<CacheAnswer['kind'], string>> = { hit: 'hit', run: 'miss', late: 'late' };

/** Counts how calls of tools that declare how long their results last find the cache. */
@Injectable()
export class CacheMetrics {
  private readonly answers: Counter<'result'>;

  constructor(@Inject(METRICS) registry: Registry) {
    this.answers = new Counter({
      name: 'provider_cache_answers_total',
      help: 'Calls that asked for the result of an equal one: hit, miss, or late where the deadline passed while they waited for it.',
      labelNames: ['result'] as const,
      registers: [registry],
    });
  }

  asked(kind: CacheAnswer['kind']): void {
    this.answers.inc({ result: results[kind] });
  }
}
