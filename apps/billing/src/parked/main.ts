import { systemClock } from '@capability-router/kernel';
import { openDatabase, parkedCommand } from '@capability-router/service-kit';
import { loadBillingConfig } from '../config.js';
import { migrations } from '../migrations/index.js';
import { billingSubscriptions } from '../subscriptions.js';

const CONNECTIONS = 2;

/** `list` shows the events that billing has parked; `replay GROUP KEY` handles those of one key again, in order. */
process.exitCode = await parkedCommand(process.argv.slice(2), async () => {
  const config = loadBillingConfig(process.env);
  const { dataSource, pool } = await openDatabase({
    url: config.databaseUrl,
    poolSize: CONNECTIONS,
    migrations,
    applicationName: 'billing-parked',
  });
  return {
    pool,
    subscriptions: billingSubscriptions(systemClock, config.settlementBatch),
    close: () => dataSource.destroy(),
  };
});
