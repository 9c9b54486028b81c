import { systemClock } from '@capability-router/kernel';
import { openPool } from '@capability-router/service-kit';
import { loadIdentityConfig } from '../config.js';
import { ensureDemoAccounts } from './ensure-demo-accounts.js';

/**
 * Creates the demo and the admin account of a new deployment and prints `{"account_id", "api_key", "admin_key"}`, or
 * nothing when they are there already. `--reissue` revokes their keys and prints new ones.
 */
const config = loadIdentityConfig(process.env);
const pool = openPool({ connectionString: config.databaseUrl, max: 1, application_name: 'identity-bootstrap' });
try {
  const keys = await ensureDemoAccounts(pool, systemClock, config, { reissue: process.argv.includes('--reissue') });
  if (keys !== undefined) {
    process.stdout.write(
      `${JSON.stringify({ account_id: keys.accountId, api_key: keys.apiKey, admin_key: keys.adminKey })}\n`,
    );
  }
} finally {
  await pool.end();
}
