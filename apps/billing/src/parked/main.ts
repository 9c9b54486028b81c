import { listParked, replayParked } from '@capability-router/event-bus';
import { systemClock } from '@capability-router/kernel';
import { ConfigError, openDatabase } from '@capability-router/service-kit';
import { loadBillingConfig } from '../config.js';
import { migrations } from '../migrations/index.js';
import { billingSubscriptions } from '../subscriptions.js';

const usage = 'usage: parked/main.js list | parked/main.js replay GROUP KEY';
const CONNECTIONS = 2;

/**
 * Shows the events that billing has parked, or handles those of one key again, in order. Safe beside a running billing.
 * Prints JSON lines; exit code 1 where events of the key remain parked.
 */
async function run([command, group, key]: readonly string[]): Promise<number> {
  const config = loadBillingConfig(process.env);
  const { dataSource, pool } = await openDatabase({
    url: config.databaseUrl,
    poolSize: CONNECTIONS,
    migrations,
    applicationName: 'billing-parked',
  });
  try {
    const subscriptions = billingSubscriptions(systemClock, config.settlementBatch);
    if (command === 'list') {
      for (const subscription of subscriptions) {
        for (const parked of await listParked(pool, subscription.group))
          print({ group: subscription.group, ...parked });
      }
      return 0;
    }
    const subscription = subscriptions.find((candidate) => candidate.group === group);
    if (command !== 'replay' || subscription === undefined || key === undefined)
      throw new ConfigError({ parked: usage });
    const result = await replayParked(pool, subscription, key);
    print(result);
    return result.remaining === 0 ? 0 : 1;
  } finally {
    await dataSource.destroy();
  }
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

process.exitCode = await run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 2;
});
