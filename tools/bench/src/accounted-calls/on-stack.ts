import { booksEnvironment, startServices, type StackState } from '@capability-router/tools-stack';
import pg from 'pg';
import { cpuSeconds } from '../machine/processes.js';
import { withTemporaryStack } from '../stack/temporary-stack.js';
import { stackVersions } from '../stack/versions.js';
import type { CallTarget } from './call-target.js';

/** One process of each service on a stack of its own. */
export function withStack<T>(work: (target: CallTarget) => Promise<T>): Promise<T> {
  return withTemporaryStack(async (stack) => {
    const services = await startServices({ stack, env: { LOG_LEVEL: 'error' }, log: (line) => console.log(line) });
    const billing = new pg.Pool({ connectionString: billingUrl(stack), max: 2 });
    billing.on('error', () => undefined);
    try {
      return await work({
        name: 'real stack',
        origin: services.gatewayUrls[0] ?? '',
        adminKey: services.accounts.admin_key,
        billing,
        books: { args: [], env: booksEnvironment(stack) },
        versions: await stackVersions(billing),
        cpu: () =>
          Object.fromEntries([
            ...services.replicas.map(({ name, process }) => [
              name,
              process === undefined ? 0 : cpuSeconds(process.pid),
            ]),
            ['PostgreSQL', cpuSeconds(stack.parts.postgres.process.pid)],
            ['Redis', cpuSeconds(stack.parts.redis.process.pid)],
            ['Kafka', cpuSeconds(stack.parts.kafka.process.pid)],
          ]) as Record<string, number>,
      });
    } finally {
      await billing.end();
      await services.stop();
    }
  });
}

/** Billing's database, as the superuser. */
export function billingUrl(stack: StackState): string {
  const url = new URL(stack.postgresUrl);
  url.pathname = new URL(stack.databases.billing.appUrl).pathname;
  return url.href;
}
