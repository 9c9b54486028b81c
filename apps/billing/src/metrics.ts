import type pg from 'pg';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { SweepReport } from './holds/hold-sweeper.js';

const openHoldsSql = `
SELECT count(*)::int AS open, COALESCE(EXTRACT(EPOCH FROM now() - min(placed_at)), 0)::float AS oldest FROM holds WHERE state = 'open'`;

/** Gauges are read when they are scraped. */
export function registerBillingMetrics(registry: Registry, pool: pg.Pool): { swept(report: SweepReport): void } {
  const oldest = new Gauge({
    name: 'billing_open_hold_oldest_seconds',
    help: 'Age of the oldest open hold.',
    registers: [registry],
  });
  new Gauge({
    name: 'billing_open_holds',
    help: 'Holds that have not ended.',
    registers: [registry],
    async collect() {
      const { rows } = await pool.query<{ open: number; oldest: number }>(openHoldsSql);
      this.set(rows[0]?.open ?? 0);
      oldest.set(rows[0]?.oldest ?? 0);
    },
  });
  new Gauge({
    name: 'billing_settlement_exceptions',
    help: 'Executions whose charge could not be collected as recorded.',
    registers: [registry],
    async collect() {
      const { rows } = await pool.query<{ count: number }>('SELECT count(*)::int AS count FROM settlement_exceptions');
      this.set(rows[0]?.count ?? 0);
    },
  });
  const released = new Counter({
    name: 'billing_holds_swept_total',
    help: 'Holds of dead executions that were released.',
    registers: [registry],
  });
  const awaiting = new Gauge({
    name: 'billing_holds_awaiting_settlement',
    help: 'Holds in the last sweep whose execution has completed but whose event has not arrived.',
    registers: [registry],
  });
  return {
    swept(report) {
      released.inc(report.released);
      awaiting.set(report.awaitingSettlement);
    },
  };
}
