import type { Command } from 'commander';
import { AdminApi } from './admin-api.js';
import { AgentApi, type DataOf, type Send } from './agent-api.js';
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
export const askAdmin =
  (terminal: Terminal): Ask =>
  async (command, method, path, body, headers) => {
    const global = command.optsWithGlobals<GlobalOptions>();
    return shownOrGiven(await AdminApi.from(global, terminal).request(method, path, body, headers), global, terminal);
  };

/** The same by the client of the public interface, whose types tell what the data has. */
export type AskAgent = <Body>(command: Command, send: Send<Body>) => Promise<DataOf<Body> | undefined>;

/** Asks with the key of an agent. */
export const askAgent =
  (terminal: Terminal): AskAgent =>
  async (command, send) => {
    const global = command.optsWithGlobals<GlobalOptions>();
    return shownOrGiven(await AgentApi.from(global, terminal).request(send), global, terminal);
  };

function shownOrGiven<T>(data: T, { json }: GlobalOptions, terminal: Terminal): T | undefined {
  if (json !== true) return data;
  terminal.out(JSON.stringify(data));
  return undefined;
}
