import { quickRecovery, startServices, stopRecordedServices, type StackState } from '@capability-router/tools-stack';
import { runJest, type TestCounts } from './jest-run.js';
import { withStarted } from './test-groups.js';

/** Milliseconds; a fault test waits for leases to lapse and for holds to be released. */
const FAULT_TIMEOUT_MS = 600_000;

/**
 * The fault tests one after another on one set of services, which each of them stops and starts as it needs. `env`: what
 * makes them play more than in every run.
 */
export function runFaultTests(
  specFiles: readonly string[],
  stack: StackState,
  env: Readonly<Record<string, string>> = {},
): Promise<TestCounts> {
  const start = async (): Promise<{ stop(): Promise<void> }> => {
    await startServices(quickRecovery(stack));
    // By what is recorded, since the tests have started most of them anew.
    return { stop: () => stopRecordedServices(stack.directory) };
  };
  return withStarted(start, () => runJest(specFiles, { workers: 1, testTimeoutMs: FAULT_TIMEOUT_MS, env }));
}
