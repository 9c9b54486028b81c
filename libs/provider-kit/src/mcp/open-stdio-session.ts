import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { McpSession, type SessionHooks } from './mcp-session.js';
import type { StdioCommand } from './stdio-commands.js';

/** Starts a process and shakes hands with it. Throws what spawning and the SDK throw. */
export async function openStdioSession(
  { command, args = [], env = {}, cwd }: StdioCommand,
  maxMessageBytes: number,
  timeoutMs: number,
): Promise<McpSession> {
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...env },
    ...(cwd === undefined ? {} : { cwd }),
    // A server speaks there to its own operator; its words are kept nowhere, so they can neither fill a disk nor leak.
    stderr: 'ignore',
    maxBufferSize: maxMessageBytes,
  });
  const hooks: SessionHooks = { faultOfCall: () => () => undefined };
  const end = (): Promise<void> => {
    // The SDK closes the input first and waits; a server that hangs, or whose call was given up, is told at once.
    if (transport.pid !== null) process.kill(transport.pid, 'SIGTERM');
    return Promise.resolve();
  };
  return McpSession.open(transport, hooks, end, timeoutMs);
}
