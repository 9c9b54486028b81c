import { Command } from 'commander';
import type { GlobalOptions } from '../gateway/gateway.js';
import type { Terminal } from '../terminal.js';
import type { DoctorOptions } from './doctor.js';

/** `caprouter doctor`: what is wrong with a deployment, and what to do about it. */
export function doctorCommand(terminal: Terminal): Command {
  return new Command('doctor')
    .description(
      'look at a deployment: gateway, databases, schema, Kafka, outbox, Redis, clocks, books; says what to do',
    )
    .option('--data-dir <path>', 'of a running standalone instance; without it the environment names the parts')
    .option('--no-invariants', 'leave the books out: that look reads the whole ledger')
    .addHelpText(
      'after',
      '\nEnvironment: <SERVICE>_DATABASE_URL, KAFKA_BROKERS, REDIS_URL, as the services have them; what is not set is left out, and said so.' +
        '\nNothing is written but a temporary file of a megabyte beside each database, to see whether its disk has room. Exit codes: 0 nothing failed, 1 something did, 2 wrong usage.',
    )
    .action(async (options: DoctorOptions, command: Command) => {
      // Loaded when asked for: the other commands need no database.
      const { doctor } = await import('./doctor.js');
      await doctor(options, command.optsWithGlobals<GlobalOptions>(), terminal);
    });
}
