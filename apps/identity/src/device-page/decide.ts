import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { accountsIn } from '../accounts/accounts-in.js';
import { isUsable } from '../api-keys/api-key.js';
import { findKeyById } from '../api-keys/find-key-by-id.sql.js';
import type { SignedIn } from './signed-in.js';
import { approveDevice, denyDevice } from './waiting-device.sql.js';

export type Decision = 'approve' | 'deny';

/** False where the program does not wait any more, or who has signed in may not decide any more. Decided once. */
export function decide(pool: pg.Pool, who: SignedIn, decision: Decision, nowMs: number): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const { deviceId, accountId, apiKeyId } = who;
    const account = await (
      await accountsIn(tx)
    ).findOne({ select: { accountId: true, status: true }, where: { accountId } });
    if (account?.status !== 'active') return false;
    const key = apiKeyId === undefined ? undefined : await findKeyById(tx, apiKeyId);
    if (apiKeyId !== undefined && (key === undefined || !isUsable(key, nowMs))) return false;
    const now = new Date(nowMs);
    return decision === 'approve' ? approveDevice(tx, deviceId, now, who) : denyDevice(tx, deviceId, now);
  });
}
