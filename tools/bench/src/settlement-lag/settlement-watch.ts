import type pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 10;

/** Sees when executions are settled: committed in billing's database. Each is seen up to a look too late, never too early. */
export class SettlementWatch {
  private readonly endedAtMs = new Map<string, number>();
  private readonly lags: number[] = [];
  private watching = true;
  private readonly looks: Promise<void>;

  constructor(private readonly billing: pg.Pool) {
    this.looks = this.look();
    // Whoever waits below is told.
    this.looks.catch(() => undefined);
  }

  ended(executionId: string, atMs: number): void {
    this.endedAtMs.set(executionId, atMs);
  }

  /** Milliseconds of each, ascending, once all of them are settled. @throws Error if some are not in time. */
  async settled(timeoutMs: number): Promise<readonly number[]> {
    const deadlineMs = performance.now() + timeoutMs;
    while (this.endedAtMs.size > 0) {
      if (performance.now() > deadlineMs) throw new Error(`${this.endedAtMs.size} executions were not settled in time`);
      await Promise.race([sleep(POLL_MS), this.looks]);
    }
    this.watching = false;
    await this.looks;
    return this.lags.sort((a, b) => a - b);
  }

  private async look(): Promise<void> {
    while (this.watching) {
      const { rows } = await this.billing.query<{ source_ref_id: string }>({
        name: 'settled',
        text: 'SELECT source_ref_id FROM settlements WHERE source_ref_id = ANY($1)',
        values: [[...this.endedAtMs.keys()]],
      });
      const nowMs = performance.now();
      for (const { source_ref_id: id } of rows) {
        const endedAtMs = this.endedAtMs.get(id);
        if (endedAtMs !== undefined && this.endedAtMs.delete(id)) this.lags.push(nowMs - endedAtMs);
      }
      await sleep(POLL_MS);
    }
  }
}
