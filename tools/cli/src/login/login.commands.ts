import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { AgentApi } from '../agent-api.js';
import { demoLogin, readFrom } from '../gateway/demo-login.js';
import { Gateway, type GlobalOptions } from '../gateway/gateway.js';
import { forgetLogin, savedLoginPath, saveLogin, type SavedLogin } from '../gateway/saved-login.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';

/** `caprouter login`: keeps a gateway and a key for the commands that follow. */
export function loginCommand(terminal: Terminal): Command {
  return new Command('login')
    .description('keep a gateway and an API key for the commands that follow; the key is read from standard input')
    .option('--data-dir <path>', 'of a standalone: its demo account')
    .action(async ({ dataDir }: { dataDir?: string }, command: Command) => {
      const { out, env } = terminal;
      const path = pathIn(env);
      const global = command.optsWithGlobals<GlobalOptions>();
      const { gateway: url, apiKey } = dataDir === undefined ? await givenLogin(global, terminal) : demoLogin(dataDir);
      const gateway = Gateway.of(url, apiKey);
      const credits = await new AgentApi(gateway).request((router) => router.GET('/auth/credits'));
      saveLogin(path, { gateway: gateway.url, apiKey: apiKey.trim() });
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

async function givenLogin({ gateway = '', keyFile }: GlobalOptions, terminal: Terminal): Promise<SavedLogin> {
  const { env, stdin, error } = terminal;
  const url = gateway === '' ? (env['CAPROUTER_GATEWAY_URL'] ?? '') : gateway;
  if (keyFile !== undefined) return { gateway: url, apiKey: readFrom(keyFile) };
  if (env['CAPROUTER_API_KEY'] !== undefined) return { gateway: url, apiKey: env['CAPROUTER_API_KEY'] };
  if (stdin.isTTY === true) error('Paste the API key, then press Enter and Ctrl-D:');
  return { gateway: url, apiKey: await text(stdin) };
}
