import type { Command } from 'commander';
import { AdminApi } from './admin-api.js';
import { AgentApi } from './agent-api.js';
import type { Data, GlobalOptions } from './gateway/gateway.js';
import type { Terminal } from './terminal.js';

/** Asks the gateway. Gives the data of the answer; where JSON is wanted it is printed instead, and there is nothing left to show. */
export type Ask = (
  command: Command,
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Data | undefined>;

/** Asks with a key of scope `admin`. */
export const askAdmin = (terminal: Terminal): Ask => askThrough(AdminApi, terminal);

/** Asks with the key of an agent. */
export const askAgent = (terminal: Terminal): Ask => askThrough(AgentApi, terminal);

function askThrough(api: typeof AdminApi | typeof AgentApi, terminal: Terminal): Ask {
  return async (command, method, path, body, headers) => {
    const global = command.optsWithGlobals<GlobalOptions>();
    const data = await api.from(global, terminal).request(method, path, body, headers);
    if (global.json !== true) return data;
    terminal.out(JSON.stringify(data));
    return undefined;
  };
}
