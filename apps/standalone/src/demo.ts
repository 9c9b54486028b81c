import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDemoAccounts } from '@capability-router/identity';
import { creditsToNumber, type Clock, type Credits } from '@capability-router/kernel';
import { openPool } from '@capability-router/service-kit';
import { writePrivately } from './keys.js';

/** The content of `DATA_DIR/demo.json`. */
export interface Demo {
  readonly base_url: string;
  /** The demo account's; absent in files of releases that did not write it. */
  readonly account_id?: string;
  readonly api_key: string;
  readonly admin_key: string;
  /** Credits that the demo account was opened with; absent in files of releases that did not write it. */
  readonly initial_credits?: number;
}

/**
 * The demo account of this installation. Its keys are shown once and kept in `demo.json`; where that file is gone, or a
 * crash came before it was written, the accounts stay and get new keys.
 */
export async function ensureDemo(options: {
  readonly dataDir: string;
  readonly identityDatabaseUrl: string;
  readonly demoCredits: Credits;
  readonly clock: Clock;
  readonly origin: string;
}): Promise<{ demo: Demo; created: boolean }> {
  const file = join(options.dataDir, 'demo.json');
  const baseUrl = `${options.origin}/api/v1`;
  if (existsSync(file)) {
    const known = JSON.parse(readFileSync(file, 'utf8')) as Demo;
    const demo = { ...known, base_url: baseUrl };
    if (known.base_url !== baseUrl) writePrivately(file, demo);
    return { demo, created: false };
  }
  const pool = openPool({ connectionString: options.identityDatabaseUrl, max: 1 });
  try {
    const keys = await ensureDemoAccounts(pool, options.clock, { demoCredits: options.demoCredits }, { reissue: true });
    if (keys === undefined) throw new Error('the demo account was not given keys');
    const demo = {
      base_url: baseUrl,
      account_id: keys.accountId,
      api_key: keys.apiKey,
      admin_key: keys.adminKey,
      initial_credits: creditsToNumber(options.demoCredits),
    };
    writePrivately(file, demo);
    return { demo, created: true };
  } finally {
    await pool.end();
  }
}
