import { Child } from '../child.js';
import { benchProgram } from '../workspace.js';
import { assertLoopback } from './loopback.js';
import type { SteadyJob, SteadyResult } from './steady-job.js';

/** Milliseconds within which a job must end. */
const JOB_TIMEOUT_MS = 120_000;

/** Requests at a constant rate, from a process of its own. */
export class SteadyLoadGenerator {
  // One thread collects its garbage: four of them, for tens of milliseconds, would take the cores from what is measured, and the stall would count as its own.
  private readonly child = new Child('the load generator', benchProgram('load/steady-load.js'), {
    execArgv: ['--single-threaded-gc'],
  });

  run(job: SteadyJob): Promise<SteadyResult> {
    assertLoopback(job.origin);
    this.child.send(job);
    return this.child.receive<SteadyResult>(JOB_TIMEOUT_MS);
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}
