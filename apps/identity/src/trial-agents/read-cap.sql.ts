import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import type { DayCap, DayWindow } from './registration-caps.js';

const sql = 'SELECT used FROM registration_counters WHERE window_start = $1 AND scope = $2';

/** Whether a cap has room now. Nothing is locked or counted, so it may have none a moment later. */
export async function hasRoom(tx: pg.ClientBase, window: DayWindow, cap: DayCap): Promise<boolean> {
  const { rows } = await tx.query<{ used: string }>(sql, [toIso(window.startMs), cap.scope]);
  return BigInt(rows[0]?.used ?? '0') + cap.amount <= cap.allowed;
}
