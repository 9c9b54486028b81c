import type { Clock } from '@capability-router/kernel';
import { CLOCK, METRICS, Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { Registry } from 'prom-client';
import { readChecks } from '../background-checks/background-checks.sql.js';
import { SettlementLag } from '../settlement/settlement-lag.js';
import { readProjectionVersions } from '../usage-audit/projection-versions.js';
import { booksGauges } from './books-gauges.js';
import { gaugesOf } from './make-gauge.js';
import { projectionGauges } from './projection-gauges.js';
import { queueGauges } from './queue-gauges.js';
import { readQueues } from './read-queues.sql.js';

const MS_PER_SECOND = 1_000;
/** Milliseconds between two reads of what the gauges show. */
const INTERVAL_MS = 10_000;

/** Gauges of billing, as of the last refresh. Every replica shows the same of what the database holds. */
@Injectable()
export class GaugesTask {
  private readonly queues;
  private readonly books;
  private readonly projections;
  private readonly refreshed;

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SettlementLag) private readonly lag: Pick<SettlementLag, 'show'>,
    @Inject(METRICS) registry: Registry,
  ) {
    const gauge = gaugesOf(registry);
    this.queues = queueGauges(gauge);
    this.books = booksGauges(gauge);
    this.projections = projectionGauges(gauge);
    this.refreshed = gauge('gauges_refreshed_timestamp_seconds', 'When the gauges were read last, in Unix time.');
  }

  /** Reads what the gauges show; a scrape reads nothing. Rejects where the database does not answer. */
  @Periodic({ name: 'refresh of gauges', everyMs: INTERVAL_MS })
  async refresh(): Promise<void> {
    const { pool, clock } = this;
    this.queues.show(await readQueues(pool, new Date(clock.nowMs())));
    this.books.show(await readChecks(pool), clock.nowMs());
    this.projections.show(await readProjectionVersions(pool));
    this.lag.show();
    this.refreshed.set(clock.nowMs() / MS_PER_SECOND);
  }
}
