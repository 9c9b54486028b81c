import type { EventEnvelope } from '@capability-router/contracts';
import type pg from 'pg';

export const valueOf = (event: EventEnvelope): number => Number(event.data['value']);

/** The effect of the suite's consumers: one row an event, without any uniqueness, so that a double shows. */
export async function writeEffects(events: readonly EventEnvelope[], tx: pg.PoolClient): Promise<void> {
  await tx.query(
    `INSERT INTO effects (event_id, key, value)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::int[])`,
    [events.map((event) => event.id), events.map((event) => event.partitionKey), events.map(valueOf)],
  );
}

/** The values of each key, in the order of their effects. */
export async function effects(pool: pg.Pool): Promise<Record<string, number[]>> {
  const { rows } = await pool.query<{ key: string; value: number }>('SELECT key, value FROM effects ORDER BY n');
  const byKey: Record<string, number[]> = {};
  for (const { key, value } of rows) (byKey[key] ??= []).push(value);
  return byKey;
}

export const countEffects = async (pool: pg.Pool): Promise<number> => Object.values(await effects(pool)).flat().length;

const WAIT_LIMIT_MS = 60_000;
const LOOK_INTERVAL_MS = 20;

/** Waits until `condition` holds; throws with `what` when it does not in time. */
export async function until(what: string, condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + WAIT_LIMIT_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_INTERVAL_MS));
  }
}
