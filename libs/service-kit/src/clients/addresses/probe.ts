import type { Pool } from 'undici';
import { onceLate } from '../../util/timing.js';
import { isConnectError } from '../connect-error.js';
import type { EjectionReason } from './address-health.js';
import type { AddressOwner } from './address-owner.js';
import { whyNotConnected } from './why-out.js';

/** Milliseconds for an answer of `/readyz`, which bounds what it asks by less. */
const PROBE_TIMEOUT_MS = 1_000;
const NOT_READY = 503;

/** Asks an address whether it serves, and as which service. Never rejects. */
export async function probe(pool: Pool, owner: AddressOwner): Promise<'ready' | EjectionReason> {
  const late = new AbortController();
  const inTime = onceLate(PROBE_TIMEOUT_MS, () => late.abort());
  try {
    const { statusCode, headers, body } = await pool.request({ method: 'GET', path: '/readyz', signal: late.signal });
    await body.dump();
    if (owner.isAnother({ status: statusCode, headers })) return 'not_ours';
    return statusCode === NOT_READY ? 'not_ready' : 'ready';
  } catch (error) {
    return isConnectError(error) ? whyNotConnected(error) : 'silent';
  } finally {
    inTime();
  }
}
