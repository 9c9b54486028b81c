import { Child } from '../child.js';
import { benchProgram } from '../workspace.js';
import type { LoadJob, LoadResult } from './load-job.js';

/** Milliseconds within which a job must end. */
const JOB_TIMEOUT_MS = 120_000;
/** Requests with which the rate is estimated, for each connection. */
const PROBE_REQUESTS_PER_CONNECTION = 30;
const MIN_PROBE_REQUESTS = 200;

export class LoadGenerator {
  private readonly child = new Child('the load generator', benchProgram('load/load-generator.js'));

  async run(job: LoadJob): Promise<LoadResult> {
    const { hostname } = new URL(job.origin);
    if (hostname !== '127.0.0.1') throw new Error(`only the loopback interface is loaded, not ${hostname}`);
    this.child.send(job);
    return this.child.receive<LoadResult>(JOB_TIMEOUT_MS);
  }

  /** Requests that take about `seconds`, by a short run of the same job, which also warms up. At most `most`. */
  async amountFor(job: Omit<LoadJob, 'amount'>, seconds: number, most: number): Promise<number> {
    const probe = Math.max(MIN_PROBE_REQUESTS, job.connections * PROBE_REQUESTS_PER_CONNECTION);
    const { elapsedMs } = await this.run({ ...job, amount: probe });
    return Math.min(most, Math.max(probe, Math.round((probe / elapsedMs) * 1_000 * seconds)));
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

export const perSecond = ({ good, elapsedMs }: LoadResult): number => (good / elapsedMs) * 1_000;
