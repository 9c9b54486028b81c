import { METRICS } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { Gauge, type Registry } from 'prom-client';

const MS_PER_SECOND = 1_000;

/** How long settlements of this replica came after the ends of their calls. */
@Injectable()
export class SettlementLag {
  private readonly gauge: Gauge;
  private longestMs = 0;

  constructor(@Inject(METRICS) registry: Registry) {
    this.gauge = new Gauge({
      name: 'billing_settlement_lag_seconds',
      help: 'The longest time from the end of a call to its settlement by this replica, of the last interval; 0: nothing was settled.',
      registers: [registry],
    });
  }

  /** Milliseconds from the end of a call to its settlement. */
  settled(lagMs: number): void {
    this.longestMs = Math.max(this.longestMs, lagMs);
  }

  /** Shows the longest since it was called last, and begins the next interval. */
  show(): void {
    this.gauge.set(this.longestMs / MS_PER_SECOND);
    this.longestMs = 0;
  }
}
