import type { CapabilityContract } from '@capability-router/contracts';
import { ChangedRowsCopy, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';

interface ContractRow {
  readonly capability_id: string;
  readonly contract: CapabilityContract;
  readonly retired: boolean;
}

/** Contracts by id; undefined for one that is retired. */
export type ContractChanges = ReadonlyMap<string, CapabilityContract | undefined>;

/** Every contract that callers are shown, in memory, in every replica: some kB each. */
@Injectable()
export class KnownContracts {
  private readonly known = new Map<string, CapabilityContract>();
  private changed = new Map<string, CapabilityContract | undefined>();
  private readonly rows = new ChangedRowsCopy<ContractRow>(
    { table: 'capabilities', key: 'capability_id', columns: ['capability_id', 'contract', 'retired'] },
    (rows) => this.apply(rows),
  );

  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  /** Undefined for one that is retired, or that this replica has not seen yet. */
  of(capabilityId: string): CapabilityContract | undefined {
    return this.known.get(capabilityId);
  }

  /** Reads what has changed, and resolves to it. One at a time. */
  async refresh(): Promise<ContractChanges> {
    await this.rows.load(this.pool);
    const { changed } = this;
    this.changed = new Map();
    return changed;
  }

  private apply(rows: readonly ContractRow[]): void {
    for (const { capability_id: id, contract, retired } of rows) {
      if (retired) this.known.delete(id);
      else this.known.set(id, contract);
      this.changed.set(id, retired ? undefined : contract);
    }
  }
}
