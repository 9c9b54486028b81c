import { envPrefixOf } from '@capability-router/service-kit';
import type pg from 'pg';
import { openAsService, type Service } from '../deployment/deployment.js';
import { failed, lookAt, messageOf, ok, skipped, type Finding } from './finding.js';
import { readRefusal, spillToDisk } from './writes.sql.js';

/** SQLSTATEs. */
const DISK_FULL = '53100';
const LIMITED = '53400';

/** The consequences, for money first, of a database that takes no writes. */
const costs: Readonly<Record<Service, string>> = {
  billing:
    'no hold can be placed, so no paid call is run or charged; calls that ended are settled once it takes writes',
  execution:
    'no call can be recorded, so none is run or charged; calls that were running end uncharged or are settled once it takes writes',
  registry: 'no search can be recorded, so none is answered or charged; calls go on, and are charged',
  identity: 'no account, key or token is made or revoked; calls go on, and are charged',
  'capability-routing': 'its copies of the catalogue stand still; calls go on, and are charged',
};

/** Whether the database of a service takes writes. Nothing is written to find out. */
export const lookAtWrites = (service: Service, url: string): Promise<Finding> =>
  lookAt(
    `writes ${service}`,
    async () => {
      // The other pools of this command are read-only by themselves.
      const pool = openAsService(url);
      try {
        return await writesOf(service, pool);
      } finally {
        await pool.end();
      }
    },
    `Look at the log of the database of ${service}.`,
  );

async function writesOf(service: Service, pool: pg.Pool): Promise<Finding> {
  const check = `writes ${service}`;
  const refuses = (why: string, advice: string): Finding =>
    failed(check, `refuses writes (${why}): ${costs[service]}`, `${advice} (docs/runbooks/database-full.md).`);
  const refusal = await readRefusal(pool);
  if (refusal?.standby === true) {
    const name = `${envPrefixOf(service)}_DATABASE_URL`;
    return refuses('it is a standby', `Have ${name} lead to the primary, or promote this one if there is none`);
  }
  if (refusal?.readOnly === true) {
    const setting = `default_transaction_read_only is on, by ${refusal.source}`;
    return refuses(setting, 'Ask who set it, and take it back once there is no reason for it');
  }
  try {
    await spillToDisk(pool);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === DISK_FULL) return refuses(messageOf(error), 'Give its disk more room');
    if (code !== LIMITED) throw error;
    return skipped(check, 'its role may write too few temporary files (temp_file_limit)', 'Look at its disk yourself.');
  }
  return ok(check, 'takes writes, and its disk has room');
}
