import type { Pool } from 'undici';
import { onceLate } from '../../util/timing.js';
import { isConnectError, isConnectTimeout } from '../connect-error.js';
import type { EjectionReason } from './address-health.js';

/** Milliseconds for an answer of `/readyz`, which bounds what it asks by less. */
const PROBE_TIMEOUT_MS = 1_000;
const NOT_READY = 503;

/** Asks an address whether it serves. Never rejects. */
export async function probe(pool: Pool): Promise<'ready' | EjectionReason> {
  const late = new AbortController();
  const inTime = onceLate(PROBE_TIMEOUT_MS, () => late.abort());
  try {
    const { statusCode, body } = await pool.request({ method: 'GET', path: '/readyz', signal: late.signal });
    await body.dump();
    return statusCode === NOT_READY ? 'not_ready' : 'ready';
  } catch (error) {
    return isConnectError(error) && !isConnectTimeout(error) ? 'refused' : 'silent';
  } finally {
    inTime();
  }
}
