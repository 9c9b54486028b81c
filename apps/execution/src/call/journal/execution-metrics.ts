import { METRICS } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, type Registry } from 'prom-client';
import type { ExecutionEnd } from './domain/execution-end.js';

const MICRO_PER_CREDIT = 1_000_000;

/** Counts what executions come to, each once: on the replica that wrote its end. */
@Injectable()
export class ExecutionMetrics {
  private readonly ends: Counter<'outcome' | 'reason'>;
  private readonly billed: Counter;

  constructor(@Inject(METRICS) registry: Registry) {
    const registers = [registry];
    this.ends = new Counter({
      name: 'executions_total',
      help: 'Executions that ended, by outcome and reason code.',
      labelNames: ['outcome', 'reason'] as const,
      registers,
    });
    this.billed = new Counter({
      name: 'executions_billed_credits_total',
      help: 'Credits of the bills of executions that ended, before their settlement.',
      registers,
    });
  }

  ended({ data: { outcome, bill } }: ExecutionEnd): void {
    this.ends.inc({ outcome: outcome.outcome, reason: outcome.reasonCode });
    this.billed.inc(Number(bill.listAmountMicroCredits) / MICRO_PER_CREDIT);
  }
}
