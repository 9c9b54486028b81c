import { Command } from 'commander';
import type { GlobalOptions } from '../admin-api.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';
import type { RebuildCommandOptions } from './rebuild.js';

const PROJECTIONS = ['usage-audit'];

/** `caprouter projections …`: read models that are built anew from the facts. */
export function projectionsCommand(terminal: Terminal): Command {
  const projections = new Command('projections').description('read models, built anew from the facts that are kept');
  projections
    .command('rebuild')
    .description(
      'build a projection anew beside the live one while traffic goes on, and switch to it; resumes what was cut off',
    )
    .argument('<projection>', PROJECTIONS.join(', '))
    .option('--data-dir <path>', 'of a running standalone instance; without it: BILLING_DATABASE_OWNER_URL')
    .option('--discard', 'give up a rebuild that was cut off; the live projection stays as it is')
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 another rebuild runs, 2 wrong usage, 3 not reached or cut off (run it again).',
    )
    .action(async (projection: string, options: RebuildCommandOptions, command: Command) => {
      if (!PROJECTIONS.includes(projection)) {
        throw new CommandError(exitCodes.usage, `there is no projection "${projection}"`, [
          `There is: ${PROJECTIONS.join(', ')}.`,
        ]);
      }
      // Loaded when asked for: the other commands need no database.
      const { rebuild } = await import('./rebuild.js');
      await rebuild(projection, options, command.optsWithGlobals<GlobalOptions>(), terminal);
    });
  return projections;
}
