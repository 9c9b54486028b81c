import { Counter, Gauge, type Registry } from 'prom-client';

/** `refused`: the bounds did not allow it; `late`: the store did not take it in time; `failed`: it would not. */
export type WriteResult = 'kept' | 'refused' | 'late' | 'failed';

/** `expired`: past its lifetime, or left by a crash; `evicted`: early, for want of room; `erased`: with its account. */
export type RemovalReason = 'expired' | 'evicted' | 'erased';

export interface ResultStoreMetrics {
  wrote(result: WriteResult, sizeBytes: number): void;
  removed(reason: RemovalReason, results: number): void;
  /** A removal has met what the store may not touch. */
  inaccessible(objects: number): void;
  /** The store holds these bytes, as they were last summed up. */
  holds(bytes: bigint): void;
}

/** Call it once per registry. */
export function resultStoreMetrics(registry: Registry, inFlight: () => number): ResultStoreMetrics {
  const registers = [registry];
  const writes = new Counter({
    name: 'result_store_writes_total',
    help: 'Full results by what came of keeping them: kept, refused (bounds), late (time limit), failed.',
    labelNames: ['result'] as const,
    registers,
  });
  const written = new Counter({
    name: 'result_store_written_bytes_total',
    help: 'Bytes of full results that were kept.',
    registers,
  });
  const removals = new Counter({
    name: 'result_store_removed_total',
    help: 'Full results that were removed: expired, evicted (for want of room), erased (with their account).',
    labelNames: ['reason'] as const,
    registers,
  });
  const inaccessible = new Counter({
    name: 'result_store_inaccessible_total',
    help: 'Files and folders of the result store that could not be removed or looked into, each time that one is met.',
    registers,
  });
  const held = new Gauge({
    name: 'result_store_bytes',
    help: 'Bytes of all full results of all replicas, as this one last summed them up.',
    registers,
  });
  new Gauge({
    name: 'result_store_writes_in_flight',
    help: 'Writes to the result store that have not ended.',
    registers,
    collect() {
      this.set(inFlight());
    },
  });
  return {
    wrote: (result, sizeBytes) => {
      writes.inc({ result });
      if (result === 'kept') written.inc(sizeBytes);
    },
    removed: (reason, results) => {
      if (results > 0) removals.inc({ reason }, results);
    },
    inaccessible: (objects) => inaccessible.inc(objects),
    holds: (bytes) => held.set(Number(bytes)),
  };
}
