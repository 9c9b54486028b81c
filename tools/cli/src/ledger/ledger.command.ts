import { Command } from 'commander';
import { ledgerExportCommand } from '../exports/export.commands.js';
import type { GlobalOptions } from '../gateway/gateway.js';
import { ledgerListCommand } from '../history/history.commands.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';
import type { VerifyCommandOptions } from './verify.js';

const ACCOUNT_PATTERN = /^acc_[0-9a-f]{32}$/;

/** `caprouter ledger …`: the entries of one's own account, and the books themselves, read beside the services. */
export function ledgerCommand(terminal: Terminal): Command {
  const ledger = new Command('ledger').description('how a balance moved; the ledger itself, read in its database');
  ledger.addCommand(ledgerListCommand(terminal));
  ledger.addCommand(ledgerExportCommand(terminal));
  ledger
    .command('verify')
    .description('recompute every chain from its beginning; check heads, balances, the last daily root and the topics')
    .option('--data-dir <path>', 'of a running standalone instance; without it: BILLING_DATABASE_URL and KAFKA_BROKERS')
    .option('--no-topic', 'leave the topics out: what was written anew since the last root is then not found')
    .option('--account <id>', 'this account alone; no root is checked')
    .option('--from-account <id>', 'go on at this account, where an earlier run ended; no root is checked')
    .addHelpText(
      'after',
      '\nExit codes: 0 sound, 1 not sound (the first broken rows are named), 2 wrong usage, 3 not reached.',
    )
    .action(async (options: VerifyCommandOptions, command: Command) => {
      for (const [name, value] of [
        ['--account', options.account],
        ['--from-account', options.fromAccount],
      ] as const) {
        if (value !== undefined && !ACCOUNT_PATTERN.test(value)) {
          throw new CommandError(exitCodes.usage, `${name}: "${value}" is no account id (acc_ and 32 hex digits)`);
        }
      }
      if (options.account !== undefined && options.fromAccount !== undefined) {
        throw new CommandError(exitCodes.usage, 'give --account or --from-account, not both');
      }
      // Loaded when asked for: the other commands need no database.
      const { verify } = await import('./verify.js');
      await verify(options, command.optsWithGlobals<GlobalOptions>(), terminal);
    });
  return ledger;
}
