import { Command } from 'commander';
import type { GlobalOptions } from '../admin-api.js';
import type { DeploymentOptions } from '../deployment/deployment.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';
import { parseInstant } from './parse-instant.js';

export interface ReconcileCommandOptions extends DeploymentOptions {
  readonly from?: string;
  readonly to?: string;
}

/** `caprouter reconcile`: do executions, ledger, audit and topic tell the same? */
export function reconcileCommand(terminal: Terminal): Command {
  return new Command('reconcile')
    .description('compare executions, ledger, usage audit and topics for a window, up to the settlement watermark')
    .option('--from <time>', 'a day (its begin, UTC) or an ISO time with its zone; without it from the beginning')
    .option('--to <time>', 'a day (its end, UTC) or an ISO time with its zone; without it up to the watermark')
    .option('--data-dir <path>', 'of a running standalone instance; without it the environment names the databases')
    .option('--no-topic', 'leave the topic of ledger entries out')
    .addHelpText(
      'after',
      '\nEnvironment: BILLING_DATABASE_URL, EXECUTION_DATABASE_URL, REGISTRY_DATABASE_URL, KAFKA_BROKERS, as the services have them.' +
        '\nExit codes: 0 equal, 1 different (the list says where), 2 wrong usage, 3 not reached.',
    )
    .action(async (options: ReconcileCommandOptions, command: Command) => {
      const fromMs = options.from === undefined ? undefined : parseInstant('--from', options.from, 'start');
      const toMs = options.to === undefined ? undefined : parseInstant('--to', options.to, 'end');
      if (fromMs !== undefined && toMs !== undefined && fromMs >= toMs) {
        throw new CommandError(exitCodes.usage, '--from must be before --to');
      }
      // Loaded when asked for: the other commands need no database.
      const { runReconcile } = await import('./run-reconcile.js');
      await runReconcile({ ...options, fromMs, toMs }, command.optsWithGlobals<GlobalOptions>(), terminal);
    });
}
