import { METRICS } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { SweepReport } from './hold-sweeper.js';

/** Metrics of what the sweeper of this replica has found and done. */
@Injectable()
export class SweepMetrics {
  private readonly released: Counter;
  private readonly awaiting: Gauge;

  constructor(@Inject(METRICS) registry: Registry) {
    const registers = [registry];
    this.released = new Counter({
      name: 'billing_holds_swept_total',
      help: 'Holds of dead executions that were released.',
      registers,
    });
    this.awaiting = new Gauge({
      name: 'billing_holds_awaiting_settlement',
      help: 'Holds in the last sweep whose execution has completed but whose event has not arrived.',
      registers,
    });
  }

  swept(report: SweepReport): void {
    this.released.inc(report.released);
    this.awaiting.set(report.awaitingSettlement);
  }
}
