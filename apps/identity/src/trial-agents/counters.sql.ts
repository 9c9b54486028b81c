import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { counterKey, type Counter } from './counters.js';

const readSql = `
SELECT window_start, scope, used FROM registration_counters
  JOIN unnest($1::timestamptz[], $2::text[]) AS wanted (window_start, scope) USING (window_start, scope)`;

/** The used part of counters, by `counterKey`. Nothing is locked or counted, so it may be more a moment later. */
export async function readCounters(pool: pg.Pool, counters: readonly Counter[]): Promise<ReadonlyMap<string, bigint>> {
  const values = [counters.map(windowStart), counters.map(({ scope }) => scope)];
  const { rows } = await pool.query<{ window_start: Date; scope: string; used: string }>({
    name: 'read-registration-counters',
    text: readSql,
    values,
  });
  return new Map(
    rows.map(({ window_start, scope, used }) => [
      counterKey({ windowStartMs: window_start.getTime(), scope }),
      BigInt(used),
    ]),
  );
}

/**
 * The check and the count are one guarded write on a locked row, so replicas cannot both take the last place. Rows are
 * locked in the order of the list. A counter without room yields no row; the caller rolls back, which returns the others.
 */
const takeSql = `
INSERT INTO registration_counters AS counter (scope, window_start, used, allowed)
SELECT scope, window_start, amount, allowed
  FROM unnest($1::timestamptz[], $2::text[], $3::bigint[], $4::bigint[]) WITH ORDINALITY
    AS cap (window_start, scope, amount, allowed, place)
 WHERE amount <= allowed
 ORDER BY place
ON CONFLICT (window_start, scope) DO UPDATE
   SET used = counter.used + EXCLUDED.used, allowed = EXCLUDED.allowed
 WHERE counter.used + EXCLUDED.used <= EXCLUDED.allowed
RETURNING window_start, scope`;

/** Takes of each counter, which stands in the list once. @returns those that have no room left */
export async function takeCounters<C extends Counter>(tx: pg.ClientBase, counters: readonly C[]): Promise<C[]> {
  const { rows } = await tx.query<{ window_start: Date; scope: string }>({
    name: 'take-registration-counters',
    text: takeSql,
    values: [
      counters.map(windowStart),
      counters.map(({ scope }) => scope),
      counters.map(({ amount }) => amount.toString()),
      counters.map(({ allowed }) => allowed.toString()),
    ],
  });
  const taken = new Set(
    rows.map(({ window_start, scope }) => counterKey({ windowStartMs: window_start.getTime(), scope })),
  );
  return counters.filter((counter) => !taken.has(counterKey(counter)));
}

const windowStart = ({ windowStartMs }: Counter): string => toIso(windowStartMs);
