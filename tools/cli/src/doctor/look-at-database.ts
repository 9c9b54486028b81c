import { performance } from 'node:perf_hooks';
import { envPrefixOf, schemaDifference } from '@capability-router/service-kit';
import type pg from 'pg';
import type { Service } from '../deployment/deployment.js';
import { countParked } from '../parked/parked-events.sql.js';
import { failed, lookAt, ok, type Finding } from './finding.js';
import { clockFinding } from './look-at-clock.js';

/** The migrations of a service in this build, without the rest of it. */
const migrationsOf = {
  billing: async () => (await import('@capability-router/billing/migrations')).migrations,
  execution: async () => (await import('@capability-router/execution/migrations')).migrations,
  identity: async () => (await import('@capability-router/identity/migrations')).migrations,
  registry: async () => (await import('@capability-router/registry/migrations')).migrations,
  'capability-routing': async () => (await import('@capability-router/capability-routing/migrations')).migrations,
} as const satisfies Record<Service, () => Promise<unknown>>;

/** Whether it answers, its schema, its clock, and what is parked in it. One that does not answer is looked at no further. */
export async function lookAtDatabase(service: Service, pool: pg.Pool): Promise<Finding[]> {
  const check = `database ${service}`;
  const name = `${envPrefixOf(service)}_DATABASE_URL`;
  let clock: Finding | undefined;
  const answers = await lookAt(
    check,
    async () => {
      await pool.query('SELECT 1');
      const askedMs = Date.now();
      const startedMs = performance.now();
      const { rows } = await pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
      const tookMs = performance.now() - startedMs;
      clock = clockFinding(`clock ${service}`, rows[0]?.now.getTime() ?? askedMs, askedMs, Date.now());
      return ok(check, `answers in ${tookMs.toFixed(1)} ms`);
    },
    `Start the database of ${service}, or correct ${name}: host, port, name, role and password.`,
  );
  if (clock === undefined) return [answers];
  return [answers, clock, await schemaOf(service, pool), await parkedIn(service, pool)];
}

const schemaOf = (service: Service, pool: pg.Pool): Promise<Finding> =>
  lookAt(
    `migrations ${service}`,
    async () => {
      const check = `migrations ${service}`;
      const { pending, unknown } = await schemaDifference(pool, await migrationsOf[service]());
      if (pending.length > 0) {
        return failed(
          check,
          `${pending.length} are not applied: ${pending.join(', ')}`,
          `Run the migrate command of ${service} of this build: ${service} migrate.`,
        );
      }
      if (unknown.length > 0) {
        return failed(
          check,
          `the schema is newer than this build: ${unknown.join(', ')}`,
          'Use the build that the services have.',
        );
      }
      return ok(check, 'the schema is that of this build');
    },
    `Give the role of ${service} the right to read its tables.`,
  );

/** Identity handles no events, and has the table all the same. */
const parkedIn = (service: Service, pool: pg.Pool): Promise<Finding> =>
  lookAt(
    `parked ${service}`,
    async () => {
      const groups = await countParked(pool);
      if (groups.length === 0) return ok(`parked ${service}`, 'no event is parked');
      const counts = groups.map(({ group, events, keys }) => `${group}: ${events} event(s) of ${keys} key(s)`);
      return failed(
        `parked ${service}`,
        counts.join('; '),
        'See why with caprouter parked list, mend it, then: caprouter parked replay <group> <key>.',
      );
    },
    'Bring the schema up to this build first.',
  );
