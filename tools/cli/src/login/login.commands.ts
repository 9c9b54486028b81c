import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { AgentApi } from '../agent-api.js';
import { demoLogin, readFrom } from '../gateway/demo-login.js';
import { environmentOf, Gateway, type GivenKey, type GlobalOptions } from '../gateway/gateway.js';
import { forgetLogin, savedLoginPath, saveLogin } from '../gateway/saved-login.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';

/** `caprouter login`: keeps a gateway and a key for the commands that follow. */
export function loginCommand(terminal: Terminal): Command {
  return new Command('login')
    .description('keep a gateway and an API key for the commands that follow; the key is read from standard input')
    .option('--data-dir <path>', 'of a standalone: its demo account')
    .action(async ({ dataDir }: { dataDir?: string }, command: Command) => {
      const { out, env, error } = terminal;
      const path = pathIn(env);
      const global = command.optsWithGlobals<GlobalOptions>();
      const { url, given } = dataDir === undefined ? await givenLogin(global, terminal) : loginOfFolder(dataDir);
      const gateway = Gateway.of(url, given);
      const credits = await new AgentApi(gateway).request((router) => router.GET('/auth/credits'));
      const apiKey = given.key.trim();
      saveLogin(path, { gateway: gateway.url, apiKey });
      const inEnvironment = environmentOf(env).key;
      if (inEnvironment !== undefined && inEnvironment.key.trim() !== apiKey) {
        error('CAPROUTER_API_KEY is set to another key and comes first: unset it to use what is kept.');
      }
      if (global.json === true) return out(JSON.stringify({ gateway: gateway.url, ...credits }));
      out(`${gateway.url} is kept in ${path}: ${credits.remaining_credits} credits left`);
    });
}

/** `caprouter logout`: forgets both. */
export function logoutCommand(terminal: Terminal): Command {
  return new Command('logout')
    .description('forget the gateway and the key that login has kept')
    .action((_options: unknown, command: Command) => {
      const forgotten = forgetLogin(pathIn(terminal.env));
      if (command.optsWithGlobals<GlobalOptions>().json === true) terminal.out(JSON.stringify({ forgotten }));
      else terminal.out(forgotten ? 'forgotten; the key itself stays valid' : 'nobody was logged in');
    });
}

function pathIn(env: NodeJS.ProcessEnv): string {
  const path = savedLoginPath(env);
  if (path !== undefined) return path;
  throw new CommandError(exitCodes.usage, 'there is no folder to keep a login in', ['Set HOME or XDG_CONFIG_HOME.']);
}

interface GivenLogin {
  /** The address of the gateway, as it was given. */
  readonly url: string;
  readonly given: GivenKey;
}

function loginOfFolder(dataDir: string): GivenLogin {
  const { gateway, apiKey } = demoLogin(dataDir);
  return { url: gateway, given: { key: apiKey, source: 'the data folder' } };
}

/** The key that comes in is the one to be kept, whatever the environment has for other commands. */
async function givenLogin({ gateway = '', keyFile }: GlobalOptions, terminal: Terminal): Promise<GivenLogin> {
  const { env, stdin, error } = terminal;
  const environment = environmentOf(env);
  const url = gateway === '' ? (environment.url ?? '') : gateway;
  if (keyFile !== undefined) return { url, given: { key: readFrom(keyFile), source: `the file ${keyFile}` } };
  if (stdin.isTTY === true) {
    if (environment.key !== undefined) return { url, given: environment.key };
    error('Paste the API key, then press Enter and Ctrl-D:');
  }
  const key = await text(stdin);
  if (key.trim() === '' && environment.key !== undefined) return { url, given: environment.key };
  return { url, given: { key, source: 'standard input' } };
}
