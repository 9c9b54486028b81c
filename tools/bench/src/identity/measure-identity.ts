import pg from 'pg';
import { withTemporaryStack } from '../stack/temporary-stack.js';
import { stackVersions } from '../stack/versions.js';
import { withIdentitySite } from './identity-site.js';
import { measureCached, type CachedRow } from './measure-cached.js';
import { measureCold, type ColdRow } from './measure-cold.js';
import { measureGuessing, type GuessingResult } from './measure-guessing.js';
import { measureRegistrations, type RegistrationRow } from './measure-registrations.js';
import { measureRevocations, type RevocationRow } from './measure-revocations.js';
import type { IdentitySizes } from './sizes.js';

const GATEWAYS = 2;

export interface IdentityResult {
  readonly sizes: IdentitySizes;
  readonly cached: readonly CachedRow[];
  readonly cold: readonly ColdRow[];
  readonly registrations: readonly RegistrationRow[];
  readonly guessing: GuessingResult;
  readonly revocations: readonly RevocationRow[];
  readonly gateways: number;
}

/** On one process of each service, but for guesses and revocations, which are put to two. */
export async function measureIdentity(
  sizes: IdentitySizes,
  log: (line: string) => void,
): Promise<{ result: IdentityResult; versions: readonly string[] }> {
  const cached = await measureCached(sizes);
  for (const { what, microseconds } of cached) log(`${what}, from memory: ${microseconds.toFixed(2)} µs`);
  return withTemporaryStack(async (stack) => {
    const alone = await withIdentitySite(stack, 1, async (site) => {
      const cold = await measureCold(site, sizes);
      for (const { what, coldP99Ms } of cold) log(`${what}, first seen: p99 ${coldP99Ms.toFixed(2)} ms`);
      return { cold, registrations: await measureRegistrations(site, sizes, log) };
    });
    const together = await withIdentitySite(stack, GATEWAYS, async (site) => {
      const guessing = await measureGuessing(site, sizes);
      log(`of ${guessing.clients} guesses at once at most ${guessing.mostTried} were tried`);
      const revocations = await measureRevocations(site, sizes, stack.directory);
      for (const { what, refusedMostMs } of revocations) log(`${what}: refused within ${refusedMostMs.toFixed(0)} ms`);
      return { guessing, revocations };
    });
    const pool = new pg.Pool({ connectionString: stack.databases.identity.ownerUrl, max: 1 });
    try {
      const versions = await stackVersions(pool);
      return { result: { sizes, cached, ...alone, ...together, gateways: GATEWAYS }, versions };
    } finally {
      await pool.end();
    }
  });
}
