import type pg from 'pg';
import { takeCounters } from './counters.sql.js';
import type { DayCap, DayWindow } from './registration-caps.js';

/** Takes of caps of one day. The ones that have no room left; empty when what they bound may go on. */
export const takeCaps = <Cap extends DayCap>(
  tx: pg.ClientBase,
  { startMs }: DayWindow,
  caps: readonly Cap[],
): Promise<readonly Cap[]> =>
  takeCounters(
    tx,
    caps.map((cap) => ({ ...cap, windowStartMs: startMs })),
  );
