import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock, uuidv7 } from '@capability-router/kernel';
import type pg from 'pg';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { GaugesTask } from '../gauges/gauges.task.js';
import { SettlementLag } from '../settlement/settlement-lag.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { USAGE_AUDIT_VERSION } from './domain/usage-row.js';
import { reportProjectionVersions } from './projection-versions.js';
import { rebuildUsageAudit } from './rebuild/rebuild-usage-audit.js';

const COMMAND = 'caprouter projections rebuild usage-audit';

describe('the version of the usage audit', () => {
  let database: ScratchDatabase;
  let pool: pg.Pool;
  const logged: { readonly level: number; readonly msg: string }[] = [];
  const logger = pino({}, { write: (line: string) => logged.push(JSON.parse(line) as (typeof logged)[number]) });
  beforeAll(async () => {
    database = await createScratchDatabase();
    ({ pool } = database);
  });
  beforeEach(() => void logged.splice(0));
  afterAll(() => database.drop());

  const setLive = (version: number): Promise<unknown> => pool.query('UPDATE projections SET version = $1', [version]);
  const live = async (): Promise<unknown> => (await pool.query('SELECT version FROM projections')).rows;
  /** Code and live version, as a scrape shows them. */
  async function shown(): Promise<unknown[]> {
    const registry = new Registry();
    await new GaugesTask(pool, systemClock, new SettlementLag(registry), registry).refresh();
    const read = async (name: string): Promise<unknown> => (await registry.getSingleMetric(name)?.get())?.values;
    return [await read('billing_projection_code_version'), await read('billing_projection_live_version')];
  }
  const gauge = (value: number): unknown => [{ value, labels: { projection: 'usage-audit' } }];

  it('is that of the build where the audit has no rows, and nothing is said of it', async () => {
    await setLive(1);
    await reportProjectionVersions(pool, logger);
    expect(logged).toEqual([]);
    expect(await live()).toEqual([{ version: USAGE_AUDIT_VERSION }]);
    expect(await shown()).toEqual([gauge(USAGE_AUDIT_VERSION), gauge(USAGE_AUDIT_VERSION)]);
  });

  it('is a warning that names the command, and a gauge, where rows are of an older one, until they are rebuilt', async () => {
    await pool.query(
      `INSERT INTO usage_events (id, account_id, effective_at, recorded) VALUES ($1, 'acc_1', now(), true)`,
      [uuidv7(systemClock.nowMs())],
    );
    await setLive(USAGE_AUDIT_VERSION - 1);
    await reportProjectionVersions(pool, logger);
    expect(logged).toEqual([
      expect.objectContaining({
        level: 40,
        msg: expect.stringContaining(COMMAND),
        projection: 'usage-audit',
        code: USAGE_AUDIT_VERSION,
        live: USAGE_AUDIT_VERSION - 1,
      }),
    ]);
    expect(await live()).toEqual([{ version: USAGE_AUDIT_VERSION - 1 }]);
    expect(await shown()).toEqual([gauge(USAGE_AUDIT_VERSION), gauge(USAGE_AUDIT_VERSION - 1)]);
    await rebuildUsageAudit(database.owner);
    logged.splice(0);
    await reportProjectionVersions(pool, logger);
    expect(logged).toEqual([]);
    expect(await shown()).toEqual([gauge(USAGE_AUDIT_VERSION), gauge(USAGE_AUDIT_VERSION)]);
  });

  it('is a warning to upgrade where another build has rebuilt it at a newer one, and is never lowered', async () => {
    await setLive(USAGE_AUDIT_VERSION + 1);
    await reportProjectionVersions(pool, logger);
    expect(logged).toEqual([
      expect.objectContaining({ level: 40, msg: expect.stringContaining('Upgrade this replica') }),
    ]);
    expect(await live()).toEqual([{ version: USAGE_AUDIT_VERSION + 1 }]);
  });
});
