import { openDatabase, parkedCommand } from '@capability-router/service-kit';
import { loadBillingConfig } from '../config.js';
import { billingConsumers } from '../consumers.js';
import { migrations } from '../migrations/index.js';
import { settlementSettings } from '../settlement/settlement.consumer.js';
import { BILLING_CLOCK, BILLING_METRICS } from '../tokens.js';

const CONNECTIONS = 2;

class BillingConsumersModule {}

/** `list` shows the events that billing has parked; `replay GROUP KEY` handles those of one key again, in order. */
process.exitCode = await parkedCommand(process.argv.slice(2), async () => {
  const config = loadBillingConfig(process.env);
  // Its clock is the database's, as that of the services: what is replayed is recorded for good.
  const { clock, dataSource, pool } = await openDatabase({
    url: config.databaseUrl,
    poolSize: CONNECTIONS,
    migrations,
    applicationName: 'billing-parked',
  });
  return {
    pool,
    handlers: {
      module: BillingConsumersModule,
      controllers: billingConsumers,
      providers: [
        { provide: BILLING_CLOCK, useValue: clock },
        // What is replayed was late for another reason than billing's pace.
        { provide: BILLING_METRICS, useValue: { settled: () => undefined } },
      ],
    },
    settings: settlementSettings(config),
    close: () => dataSource.destroy(),
  };
});
