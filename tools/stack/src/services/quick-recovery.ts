import { join } from 'node:path';
import type { StackState } from '../stack-state.js';
import type { StartServicesOptions } from './start-services.js';
import type { ServiceEnvironment } from './service-environment.js';

/**
 * Times after which a replica counts as dead, so short that tests of recovery wait little, and long enough that one that
 * lives on a busy machine is not taken for dead.
 */
const quickTimes = {
  KAFKA_SESSION_TIMEOUT_MS: '4000',
  RELAY_LEASE_MS: '3000',
  EXECUTION_LEASE_MS: '5000',
  EXECUTION_INTERRUPT_INTERVAL_MS: '250',
  HOLD_INQUIRY_AGE_MS: '6000',
  HOLD_SWEEP_INTERVAL_MS: '500',
};

/** The same times as a deployment has them that sets none: an empty variable counts as absent. */
export const shippedTimes: ServiceEnvironment = Object.fromEntries(Object.keys(quickTimes).map((name) => [name, '']));

/** How long a service takes to come back depends on the machine: no account may run into its limit meanwhile. */
const noLimits = { RATE_LIMIT_CALL: '1000000', RATE_LIMIT_DISCOVER: '1000000', RATE_LIMIT_INSPECT: '1000000' };

/** Services for tests that kill them: two of each, which are started often and given up for dead soon. */
export function quickRecovery(stack: StackState): StartServicesOptions {
  return {
    stack,
    replicas: 2,
    env: {
      ...quickTimes,
      // A process takes the compiled code of those that ended before it.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(stack.directory, 'compile-cache'),
    },
    serviceEnv: { gateway: noLimits },
  };
}
