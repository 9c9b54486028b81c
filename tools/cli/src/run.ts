import { Command, CommanderError } from 'commander';
import { accountsCommand } from './accounts/accounts.command.js';
import { capabilitiesCommand } from './capabilities/capabilities.command.js';
import { credentialsCommand } from './credentials/credentials.command.js';
import { exceptionsCommand } from './exceptions/exceptions.command.js';
import { grantsCommand } from './grants/grants.command.js';
import { keysCommand } from './keys/keys.command.js';
import { oauthClientsCommand } from './oauth-clients/oauth-clients.command.js';
import { ledgerCommand } from './ledger/ledger.command.js';
import { projectionsCommand } from './projections/projections.command.js';
import { projectsCommand } from './projects/projects.command.js';
import { rateLimitPlansCommand } from './rate-limit-plans/rate-limit-plans.command.js';
import { reconcileCommand } from './reconcile/reconcile.command.js';
import { securityLogCommand } from './security-log/security-log.command.js';
import { verificationCommand } from './verification/verification.command.js';
import { CommandError, exitCodes, type ExitCode, type Terminal } from './terminal.js';

/** Runs one command line, without the program's name. Resolves to its exit code; never throws for what a user did. */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    await program(terminal).parseAsync([...args], { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    // Commander has said what it had to say; help is no fault.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    if (!(error instanceof CommandError)) throw error;
    terminal.error(`error: ${error.message}`);
    for (const hint of error.hints) terminal.error(`  ${hint}`);
    return error.exitCode;
  }
}

function program(terminal: Terminal): Command {
  const caprouter = new Command('caprouter')
    .description('Runs a capability router from the command line, over its admin API, and checks its books.')
    .option('--gateway <url>', 'origin of the gateway (CAPROUTER_GATEWAY_URL)')
    .option('--key-file <path>', 'file with an API key of scope "admin" (CAPROUTER_API_KEY holds the key itself)')
    .option('--json', 'print the data of answers as JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 refused or not done whole, 2 wrong usage, 3 gateway, database or broker not reached.\nSecrets are read from standard input or files, never from the command line.',
    );
  caprouter
    .addCommand(accountsCommand(terminal))
    .addCommand(capabilitiesCommand(terminal))
    .addCommand(credentialsCommand(terminal))
    .addCommand(exceptionsCommand(terminal))
    .addCommand(grantsCommand(terminal))
    .addCommand(keysCommand(terminal))
    .addCommand(oauthClientsCommand(terminal))
    .addCommand(ledgerCommand(terminal))
    .addCommand(projectionsCommand(terminal))
    .addCommand(projectsCommand(terminal))
    .addCommand(rateLimitPlansCommand(terminal))
    .addCommand(reconcileCommand(terminal))
    .addCommand(securityLogCommand(terminal))
    .addCommand(verificationCommand(terminal));
  return inherit(caprouter, terminal);
}

/** Every command writes where the first does, and throws instead of ending the process. */
function inherit(command: Command, terminal: Terminal): Command {
  command.exitOverride().configureOutput({
    writeOut: (text) => terminal.out(text.trimEnd()),
    writeErr: (text) => terminal.error(text.trimEnd()),
  });
  for (const child of command.commands) inherit(child, terminal);
  return command;
}
