import { Command, CommanderError } from 'commander';
import { accountsCommand } from './accounts/accounts.command.js';
import { discoverCommand, inspectCommand, probeCommand } from './calls/find.commands.js';
import { callCommand, queryCommand } from './calls/spend.commands.js';
import { capabilitiesCommand } from './capabilities/capabilities.command.js';
import { catalogCommand } from './catalog/catalog.command.js';
import { completionCommand } from './completion/completion.command.js';
import { credentialsCommand } from './credentials/credentials.command.js';
import { doctorCommand } from './doctor/doctor.command.js';
import { exceptionsCommand } from './exceptions/exceptions.command.js';
import { externalSubjectsCommand } from './external-subjects/external-subjects.command.js';
import { financeCommand } from './finance/finance.command.js';
import { grantsCommand } from './grants/grants.command.js';
import { creditsCommand, usageCommand } from './history/history.commands.js';
import { initCommand } from './init/init.command.js';
import { unlessInterrupted } from './interruption.js';
import { keysCommand } from './keys/keys.command.js';
import { oauthClientsCommand } from './oauth-clients/oauth-clients.command.js';
import { oauthConsentsCommand } from './oauth-consents/oauth-consents.command.js';
import { ledgerCommand } from './ledger/ledger.command.js';
import { loginCommand, logoutCommand } from './login/login.commands.js';
import { parkedCommand } from './parked/parked.command.js';
import { projectionsCommand } from './projections/projections.command.js';
import { projectsCommand } from './projects/projects.command.js';
import { rateLimitPlansCommand } from './rate-limit-plans/rate-limit-plans.command.js';
import { reconcileCommand } from './reconcile/reconcile.command.js';
import { securityLogCommand } from './security-log/security-log.command.js';
import { topicsCommand } from './topics/topics.command.js';
import { verificationCommand } from './verification/verification.command.js';
import { version } from './version.js';
import { CommandError, exitCodes, type ExitCode, type Terminal } from './terminal.js';

/** Runs one command line, without the program's name. Resolves to its exit code; never throws for what a user did. */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const isJson = args.includes('--json');
  try {
    await unlessInterrupted(terminal, program(terminal, isJson).parseAsync([...args], { from: 'user' }));
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help is no fault, and for people commander has said what it had to say.
      if (error.exitCode === 0) return exitCodes.done;
      if (isJson) terminal.error(jsonOf(new CommandError(exitCodes.usage, saidBy(error))));
      return exitCodes.usage;
    }
    if (!(error instanceof CommandError)) throw error;
    for (const line of isJson ? [jsonOf(error)] : linesOf(error)) terminal.error(line);
    return error.exitCode;
  }
}

const saidBy = ({ code, message }: CommanderError): string =>
  code === 'commander.help' ? 'no command is given; --help lists them' : message.replace(/^error: /, '');

const linesOf = ({ message, hints }: CommandError): string[] => [
  `error: ${message}`,
  ...hints.map((hint) => `  ${hint}`),
];

/** One line, for programs. */
const jsonOf = ({ message, hints, exitCode, answer }: CommandError): string =>
  JSON.stringify({ error: { message, hints, exit_code: exitCode, ...(answer === undefined ? {} : { answer }) } });

function program(terminal: Terminal, isJson: boolean): Command {
  const caprouter = new Command('caprouter')
    .description(
      'Finds, calls and pays tools of a capability router, runs one over its admin API, and checks its books.',
    )
    .version(version, '--version')
    .option('--gateway <url>', 'base URL or origin of the gateway (CAPROUTER_GATEWAY_URL, else what login has kept)')
    .option(
      '--key-file <path>',
      'file with an API key (CAPROUTER_API_KEY holds the key itself, else what login has kept)',
    )
    .option('--json', 'print the data of answers, and errors, as JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 refused or not done whole, 2 wrong usage, 3 gateway, database or broker not reached, 130 ended by Ctrl-C.\nSecrets are read from standard input or files, never from the command line.',
    );
  caprouter
    .commandsGroup('Tools:')
    .addCommand(initCommand(terminal))
    .addCommand(loginCommand(terminal))
    .addCommand(logoutCommand(terminal))
    .addCommand(discoverCommand(terminal))
    .addCommand(inspectCommand(terminal))
    .addCommand(probeCommand(terminal))
    .addCommand(callCommand(terminal))
    .addCommand(queryCommand(terminal))
    .addCommand(usageCommand(terminal))
    .addCommand(creditsCommand(terminal))
    .commandsGroup('Operation:')
    .addCommand(accountsCommand(terminal))
    .addCommand(capabilitiesCommand(terminal))
    .addCommand(catalogCommand(terminal))
    .addCommand(credentialsCommand(terminal))
    .addCommand(doctorCommand(terminal))
    .addCommand(exceptionsCommand(terminal))
    .addCommand(externalSubjectsCommand(terminal))
    .addCommand(financeCommand(terminal))
    .addCommand(grantsCommand(terminal))
    .addCommand(keysCommand(terminal))
    .addCommand(oauthClientsCommand(terminal))
    .addCommand(oauthConsentsCommand(terminal))
    .addCommand(ledgerCommand(terminal))
    .addCommand(parkedCommand(terminal))
    .addCommand(projectionsCommand(terminal))
    .addCommand(projectsCommand(terminal))
    .addCommand(rateLimitPlansCommand(terminal))
    .addCommand(reconcileCommand(terminal))
    .addCommand(securityLogCommand(terminal))
    .addCommand(topicsCommand(terminal))
    .addCommand(verificationCommand(terminal))
    .commandsGroup('The shell:')
    .addCommand(completionCommand(terminal));
  return inherit(caprouter, terminal, isJson);
}

/** Every command writes where the first does, and throws instead of ending the process; what it throws is all that a program is told. */
function inherit(command: Command, terminal: Terminal, isJson: boolean): Command {
  command.exitOverride().configureOutput({
    writeOut: (text) => terminal.out(text.trimEnd()),
    writeErr: (text) => {
      if (!isJson) terminal.error(text.trimEnd());
    },
  });
  for (const child of command.commands) inherit(child, terminal, isJson);
  return command;
}
