import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ScratchDatabase } from '@capability-router/event-store/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { ConfigError } from '../config/load-env.js';
import { scratchDatabasesOf } from '../testing/scratch-databases.js';
import { SilentProxy } from '../testing/silent-proxy.js';
import { delay } from '../util/timing.js';
import { migrate, roleOf } from './migrate.js';
import { openServiceDatabase } from './open-service-database.js';

/** Milliseconds; short, so that the first connection is given up soon. */
const connectionTimeoutMs = 500;
const { createScratchDatabase } = scratchDatabasesOf({ service: 'late', migrations: [] });

let scratch: ScratchDatabase;
let proxy: SilentProxy;
let lines: string[];
let logger: pino.Logger;
let metrics: Registry;
beforeEach(async () => {
  scratch = await createScratchDatabase();
  proxy = await SilentProxy.before(scratch.url);
  lines = [];
  metrics = new Registry();
  logger = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
});
afterEach(async () => {
  await proxy.close();
  await scratch.drop();
});

const clock = { nowMs: () => Date.now() };
const open = (databaseUrl: string) =>
  openServiceDatabase({ name: 'billing', clock, logger, metrics }, { databaseUrl, databasePoolSize: 2 }, [], {
    connectionTimeoutMs,
  });
/** Takes the first connection and says nothing on it, as a machine does that is too busy. */
async function answerLate<T>(start: () => Promise<T>): Promise<T> {
  proxy.fallSilent();
  const starting = start();
  const over = new AbortController();
  starting.catch(() => over.abort());
  while (lines.length === 0 && !over.signal.aborted) await delay(5);
  proxy.speakAgain();
  return starting;
}

describe('a server that answers late', () => {
  it('is waited for by a service that starts, which says so in one line', async () => {
    const { dataSource, pool } = await answerLate(() => open(proxy.urlOf(scratch.url)));
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(lines).toEqual([expect.stringContaining('the database cannot be reached yet')]);
    const taken = await pool.connect();
    expect(await metrics.metrics()).toContain('database_connections{service="billing",state="in_use"} 1');
    taken.release();
    const text = await metrics.metrics();
    expect(text).toContain('database_connections{service="billing",state="in_use"} 0');
    expect(text).toContain('database_connections_max{service="billing"} 2');
    await dataSource.destroy();
  });

  it('is waited for by a migration', async () => {
    const ownerUrl = proxy.urlOf(scratch.ownerUrl);
    const applicationRole = roleOf(scratch.url);
    await answerLate(() => migrate({ ownerUrl, applicationRole, migrations: [], logger, connectionTimeoutMs }));
    expect(lines).toHaveLength(1);
  });
});

it.each([
  ['role', 'nobody_knows_it', 'nobody_knows_it'],
  ['database', 'nothing_is_in_it', 'nothing_is_in_it'],
] as const)('a wrong %s ends the start at once, and the variable is named', async (part, value, said) => {
  const url = new URL(scratch.url);
  if (part === 'role') url.username = value;
  else url.pathname = `/${value}`;
  const failed: unknown = await open(url.href).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(ConfigError);
  expect((failed as ConfigError).message).toContain('BILLING_DATABASE_URL: is refused by the server');
  expect((failed as ConfigError).message).toContain(said);
  expect(lines).toEqual([]);
});
