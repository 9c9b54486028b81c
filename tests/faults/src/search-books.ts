import type { StackState } from '@capability-router/tools-stack';
import pg from 'pg';

/** The records of Discover and Inspect requests in the databases, read with the owner's rights. */
export class SearchBooks {
  private readonly billing: pg.Pool;
  private readonly registry: pg.Pool;

  constructor(stack: StackState) {
    this.billing = new pg.Pool({ connectionString: stack.databases.billing.ownerUrl, max: 2 });
    this.registry = new pg.Pool({ connectionString: stack.databases.registry.ownerUrl, max: 2 });
  }

  async close(): Promise<void> {
    await Promise.all([this.billing.end(), this.registry.end()]);
  }

  /** Usage events that the registry recorded, by their id, with the bill in micro-credits. Throws where one is there twice. */
  async recorded(accounts: readonly string[]): Promise<Map<string, { searchId: string | null; billMicro: bigint }>> {
    const { rows } = await this.registry.query<{ id: string; search_id: string | null; bill: string | null }>(
      `SELECT data->>'usageEventId' AS id, data->>'searchId' AS search_id, data->'bill'->>'listAmountMicroCredits' AS bill
         FROM events WHERE type IN ('ToolsSearched', 'ToolsInspected') AND partition_key = ANY($1)`,
      [accounts],
    );
    return uniqueMap(
      rows.map((row) => [row.id, { searchId: row.search_id, billMicro: BigInt(row.bill ?? '0') }] as const),
    );
  }

  /** Audit rows by id, with their final amounts. Throws where one is there twice. */
  async audited(accounts: readonly string[]): Promise<Map<string, bigint>> {
    const { rows } = await this.billing.query<{ id: string; amount: string }>(
      `SELECT id, effective_micro AS amount FROM usage_events
        WHERE recorded AND source_system = 'registry' AND account_id = ANY($1)
          AND (requested_micro = 0 OR settlement_status IS NOT NULL)`,
      [accounts],
    );
    return uniqueMap(rows.map((row) => [row.id, BigInt(row.amount)] as const));
  }

  /** Charges of the ledger by search. Throws where one search was charged twice. */
  async charges(accounts: readonly string[]): Promise<Map<string, bigint>> {
    const { rows } = await this.billing.query<{ id: string; amount: string }>(
      `SELECT source_ref_id AS id, -amount_micro AS amount FROM ledger_entries
        WHERE amount_micro < 0 AND source_ref_type = 'search' AND account_id = ANY($1)`,
      [accounts],
    );
    return uniqueMap(rows.map((row) => [row.id, BigInt(row.amount)] as const));
  }

  /** Holds by how they stand. */
  async holds(accounts: readonly string[]): Promise<Record<string, number>> {
    const { rows } = await this.billing.query<{ state: string; n: number }>(
      'SELECT state, count(*)::int AS n FROM holds WHERE account_id = ANY($1) GROUP BY state',
      [accounts],
    );
    return Object.fromEntries(rows.map((row) => [row.state, row.n]));
  }
}

function uniqueMap<V>(entries: readonly (readonly [string, V])[]): Map<string, V> {
  const map = new Map<string, V>();
  for (const [id, value] of entries) {
    if (map.has(id)) throw new Error(`${id} is there twice`);
    map.set(id, value);
  }
  return map;
}
