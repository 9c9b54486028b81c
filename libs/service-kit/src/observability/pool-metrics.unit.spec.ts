import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Registry } from 'prom-client';
import { showPool } from './pool-metrics.js';

describe('metrics of pools', () => {
  it('show the pool of each service in one registry as it is when they are read', async () => {
    const registry = new Registry();
    const counts = { totalCount: 3, idleCount: 1, waitingCount: 0 };
    const { options } = new pg.Pool({ max: 4 });
    const busy = { ...counts, options };
    showPool(registry, 'billing', busy);
    showPool(registry, 'identity', new pg.Pool({ max: 7 }));
    Object.assign(busy, { totalCount: 4, idleCount: 0, waitingCount: 2 });
    const text = await registry.metrics();
    expect(text).toContain('database_connections{service="billing",state="in_use"} 4');
    expect(text).toContain('database_connections{service="billing",state="idle"} 0');
    expect(text).toContain('database_connections_awaited{service="billing"} 2');
    expect(text).toContain('database_connections_max{service="billing"} 4');
    expect(text).toContain('database_connections{service="identity",state="in_use"} 0');
    expect(text).toContain('database_connections_max{service="identity"} 7');
  });
});
