import { Command } from 'commander';
import type { GlobalOptions } from '../admin-api.js';
import type { Terminal } from '../terminal.js';
import type { ParkedOptions } from './parked.js';

/** `caprouter parked …`: events that a service could not handle, with the events of the same key behind them. */
export function parkedCommand(terminal: Terminal): Command {
  const parked = new Command('parked').description('events that a service has set aside: read them, handle them again');
  const place = (command: Command): Command =>
    command.option(
      '--data-dir <path>',
      'of a running standalone instance; without it the environment names the databases',
    );

  place(parked.command('list'))
    .description('what is parked, oldest first for each service')
    .action(async (options: ParkedOptions, command: Command) => {
      // Loaded when asked for: the other commands need no database.
      const { list } = await import('./parked.js');
      await list(options, command.optsWithGlobals<GlobalOptions>(), terminal);
    });

  place(parked.command('show'))
    .description('one event as it was published, and why it is parked')
    .argument('<event>', 'id of the event, as list prints it')
    .action(async (eventId: string, options: ParkedOptions, command: Command) => {
      const { show } = await import('./parked.js');
      await show(eventId, options, command.optsWithGlobals<GlobalOptions>(), terminal);
    });

  place(parked.command('replay'))
    .description('handle the parked events of one key again, in order; safe beside the running service')
    .argument('<group>', 'consumer group, as list prints it, e.g. billing.settlement')
    .argument('<key>', 'as list prints it, e.g. acc_…')
    .action(async (group: string, key: string, options: ParkedOptions, command: Command) => {
      const { replay } = await import('./parked.js');
      await replay({ group, key }, options, command.optsWithGlobals<GlobalOptions>(), terminal);
    });

  return parked.addHelpText(
    'after',
    '\nEnvironment: <SERVICE>_DATABASE_URL, as the services have them; list and show read those that are set.' +
      '\nExit codes: 0 done, 1 there is no such event, or events of the key failed again, 2 wrong usage, 3 not reached.',
  );
}
