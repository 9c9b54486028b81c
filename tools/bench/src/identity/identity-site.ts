import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startServices, type StackState } from '@capability-router/tools-stack';
import pg from 'pg';
import { cpuSeconds } from '../machine/processes.js';
import type { CpuByProcess } from '../load/rounds.js';

/** More than anything here does. */
const UNCAPPED = '1000000';

/** The services on a stack, with the caps of what is measured lifted. */
export interface IdentitySite {
  readonly gateways: readonly string[];
  readonly adminKey: string;
  /** Identity's database. */
  readonly identity: pg.Pool;
  /** The folder into which mail is written. */
  readonly mails: string;
  readonly cpu: () => CpuByProcess;
}

export async function withIdentitySite<T>(
  stack: StackState,
  replicas: number,
  work: (site: IdentitySite) => Promise<T>,
): Promise<T> {
  const mails = await mkdtemp(join(tmpdir(), 'capability-router-bench-mails-'));
  const env = {
    LOG_LEVEL: 'fatal',
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_LIMIT_ANONYMOUS: UNCAPPED,
    RATE_LIMIT_READ: UNCAPPED,
    RATE_LIMIT_INVALID_KEY: UNCAPPED,
    MAIL_URL: pathToFileURL(mails).href,
    MAIL_FROM: 'Bench <no-reply@localhost>',
    IDENTITY_PEPPER: 'a pepper of the bench, long enough',
    TRIAL_REGISTRATIONS_PER_ADDRESS_PER_DAY: UNCAPPED,
    TRIAL_REGISTRATIONS_PER_NETWORK_PER_DAY: UNCAPPED,
    TRIAL_DAILY_BUDGET_CREDITS: '1000000000',
    CLAIM_MAILS_PER_ADDRESS_PER_DAY: UNCAPPED,
    CLAIM_MAILS_PER_NETWORK_PER_DAY: UNCAPPED,
  };
  const services = await startServices({ stack, replicas, env, log: (line) => console.log(line) });
  const identity = new pg.Pool({ connectionString: stack.databases.identity.ownerUrl, max: 2 });
  identity.on('error', () => undefined);
  try {
    const { gatewayUrls: gateways, accounts, replicas: processes } = services;
    return await work({
      gateways,
      adminKey: accounts.admin_key,
      identity,
      mails,
      cpu: () => ({
        ...Object.fromEntries(
          processes.map(({ name, process }) => [name, process === undefined ? 0 : cpuSeconds(process.pid)]),
        ),
        PostgreSQL: cpuSeconds(stack.parts.postgres.process.pid),
        Redis: cpuSeconds(stack.parts.redis.process.pid),
        Kafka: cpuSeconds(stack.parts.kafka.process.pid),
      }),
    });
  } finally {
    await identity.end();
    await services.stop();
    await rm(mails, { recursive: true, force: true });
  }
}
