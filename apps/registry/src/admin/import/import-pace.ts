import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** Requests that may be under way beside one that imports, so that it goes on: a few are no crowd. */
const FEW_REQUESTS = 3;
/** The share of its time that the process works, above which it has too little left for requests. */
const BUSY_SHARE = 0.7;
/** Milliseconds between two looks. */
const LOOK_MS = 20;
/** Milliseconds that rows wait at most: an import comes to its end however busy the process is. */
const MAX_WAIT_MS = 1_000;

/** Lets an import give way to requests: while many are under way in a process that is busy, it waits. */
export class ImportPace {
  private lookedAt: EventLoopUtilization = performance.eventLoopUtilization();

  /** `underWay`: requests of all callers, with those that import. */
  constructor(private readonly underWay: () => number) {}

  /** Resolves when the import may go on. */
  async next(): Promise<void> {
    const untilMs = performance.now() + MAX_WAIT_MS;
    while (this.isCrowded() && performance.now() < untilMs) await delay(LOOK_MS);
  }

  private isCrowded(): boolean {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.lookedAt);
    this.lookedAt = now;
    return utilization > BUSY_SHARE && this.underWay() > FEW_REQUESTS;
  }
}
