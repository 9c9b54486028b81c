import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';

type Pool = Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount' | 'options'>;

/** The pools of each registry by the service whose they are: in standalone, several services share one registry. */
const poolsOf = new WeakMap<Registry, Map<string, Pool>>();

/** Shows how much of the pool of a service is in use; a scrape asks the pool, and the database nothing. */
export function showPool(registry: Registry, service: string, pool: Pool): void {
  const pools = poolsOf.get(registry) ?? openGauges(registry);
  pools.set(service, pool);
}

function openGauges(registry: Registry): Map<string, Pool> {
  const pools = new Map<string, Pool>();
  poolsOf.set(registry, pools);
  const registers = [registry];
  new Gauge({
    name: 'database_connections',
    help: 'Connections to the database of a service, by their state: in_use or idle.',
    labelNames: ['service', 'state'] as const,
    registers,
    collect() {
      for (const [service, { totalCount, idleCount }] of pools) {
        this.set({ service, state: 'in_use' }, totalCount - idleCount);
        this.set({ service, state: 'idle' }, idleCount);
      }
    },
  });
  const labelNames = ['service'] as const;
  new Gauge({
    name: 'database_connections_max',
    help: 'Connections that the pool of a service may open.',
    labelNames,
    registers,
    collect() {
      for (const [service, { options }] of pools) this.set({ service }, options.max);
    },
  });
  new Gauge({
    name: 'database_connections_awaited',
    help: 'Statements and transactions that wait for a connection to be free.',
    labelNames,
    registers,
    collect() {
      for (const [service, { waitingCount }] of pools) this.set({ service }, waitingCount);
    },
  });
  return pools;
}
