import { inTransaction, type Secrets } from '@capability-router/service-kit';
import type pg from 'pg';
import type { DevicePolicy } from '../device-codes/device-policy.js';
import { secretHash } from '../device-codes/codes.js';
import type { ClientNetwork } from '../trial-agents/client-network.js';
import { utcDayOf } from '../trial-agents/registration-caps.js';
import { takeCaps } from '../trial-agents/take-caps.js';
import { wrongCodeCaps } from './device-caps.js';
import { findWaiting, type WaitingDevice } from './waiting-device.sql.js';

export interface FindWaitingDevice {
  /** As `readUserCode` yields it. */
  readonly userCode: string;
  readonly client: ClientNetwork;
  readonly nowMs: number;
}

export type FindWaitingDeviceResult =
  | { readonly status: 'waiting'; readonly device: WaitingDevice }
  | { readonly status: 'unknown' }
  | { readonly status: 'capped'; readonly resetAtMs: number };

class Found extends Error {
  constructor(readonly device: WaitingDevice) {
    super('the code is of a program that waits: nothing is counted');
  }
}

/**
 * The program of a user code. A try is counted before it is looked at, so that no number of clients has more tries than
 * there are; one that finds its program takes its count back by rolling back.
 */
export async function findWaitingDevice(
  pool: pg.Pool,
  { userCode, client, nowMs }: FindWaitingDevice,
  { deviceSecrets, devices }: { readonly deviceSecrets: Secrets; readonly devices: DevicePolicy },
): Promise<FindWaitingDeviceResult> {
  const window = utcDayOf(nowMs);
  const hashes = deviceSecrets.map((secret) => secretHash(secret, 'user code', userCode));
  try {
    return await inTransaction(pool, async (tx) => {
      const full = await takeCaps(tx, window, wrongCodeCaps(client, devices));
      if (full.length > 0) return { status: 'capped', resetAtMs: window.endMs };
      for (const hash of hashes) {
        const device = await findWaiting(tx, hash, new Date(nowMs));
        if (device !== undefined) throw new Found(device);
      }
      return { status: 'unknown' };
    });
  } catch (error) {
    if (error instanceof Found) return { status: 'waiting', device: error.device };
    throw error;
  }
}
