import { Command } from 'commander';
import type { GlobalOptions } from '../admin-api.js';
import type { Terminal } from '../terminal.js';
import type { RepublishOptions } from './republish.js';

/** `caprouter topics …`: for a Kafka that has lost its topics, or another one. */
export function topicsCommand(terminal: Terminal): Command {
  const topics = new Command('topics').description('topics that were lost: publish again what the databases have');
  topics
    .command('republish')
    .description(
      'have every service publish all that it keeps into topics that are empty, and read them from the beginning; the services are stopped',
    )
    .option('--yes', 'the services are stopped, and the topics are empty')
    .addHelpText(
      'after',
      '\nEnvironment: <SERVICE>_DATABASE_URL of all five services, as they have them.' +
        '\nRun it after `prepare` has made the topics, or once databases were restored into another cluster; then start the services.' +
        '\nExit codes: 0 done, 1 a service still runs, 2 wrong usage, 3 not reached. It may be run again.',
    )
    .action(async (options: RepublishOptions, command: Command) => {
      // Loaded when asked for: the other commands need no database.
      const { republish } = await import('./republish.js');
      await republish(options, command.optsWithGlobals<GlobalOptions>(), terminal);
    });
  return topics;
}
