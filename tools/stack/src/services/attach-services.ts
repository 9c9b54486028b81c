import { readRunningStack, type StackState } from '../stack-state.js';
import { stillRuns } from '../system/process-identity.js';
import { readFirstAccounts } from './first-accounts.js';
import { readRecordedServices } from './recorded-services.js';
import { replicasOf, runningServices, type RunningServices } from './running-services.js';

/**
 * The services that another process started on the stack, whose replicas can be stopped and started from here, or undefined
 * where none runs. One process at a time may do so.
 */
export function attachServices(stack: StackState = readRunningStack()): RunningServices | undefined {
  const recorded = readRecordedServices(stack.directory);
  const accounts = readFirstAccounts(stack.directory);
  const running = recorded.some(({ process }) => process !== undefined && stillRuns(process));
  return running && accounts !== undefined ? runningServices(replicasOf(stack, recorded), accounts) : undefined;
}
