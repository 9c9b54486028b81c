import { Child } from '../child.js';
import { benchProgram } from '../workspace.js';
import type { LoadJob, LoadResult } from './load-job.js';
import { assertLoopback } from './loopback.js';

/** Milliseconds within which a job must end. */
const JOB_TIMEOUT_MS = 120_000;
const PROBE_REQUESTS_PER_CONNECTION = 30;
const MIN_PROBE_REQUESTS = 400;

export class LoadGenerator {
  private readonly child = new Child('the load generator', benchProgram('load/load-generator.js'));

  run(job: LoadJob): Promise<LoadResult> {
    assertLoopback(job.origin);
    this.child.send(job);
    return this.child.receive<LoadResult>(JOB_TIMEOUT_MS);
  }

  /** Requests with which the rate is estimated; they also warm up. */
  static probeAmount(connections: number): number {
    return Math.max(MIN_PROBE_REQUESTS, connections * PROBE_REQUESTS_PER_CONNECTION);
  }

  /** Requests that take about `seconds` at the rate of `probe`, at most `most`. */
  static amountLike({ good, elapsedMs }: LoadResult, seconds: number, most: number): number {
    return Math.min(most, Math.max(good, Math.round((good / elapsedMs) * 1_000 * seconds)));
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

export const perSecond = ({ good, elapsedMs }: LoadResult): number => (good / elapsedMs) * 1_000;
