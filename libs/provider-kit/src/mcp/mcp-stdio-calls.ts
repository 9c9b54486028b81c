import { Turns } from '../flow/turns.js';
import { Secrets } from '../credentials/secrets.js';
import { failure, unsent, type ProviderAnswer, type ProviderRequest } from '../provider-adapter.js';
import { classifyMcp, isAnsweredError, isLate } from './classify-mcp.js';
import { IdleSessions } from './idle-sessions.js';
import type { McpSession } from './mcp-session.js';
import { readToolResult } from './read-tool-result.js';
import { openStdioSession } from './open-stdio-session.js';
import type { StdioCommand, StdioCommands } from './stdio-commands.js';

/** Milliseconds that a process waits for its next call. */
const IDLE_MS = 60_000;
/** Calls that may wait for a process of one command. */
const MAX_QUEUE = 200;
/** Bytes of a message beside the result in it. */
const MESSAGE_OVERHEAD_BYTES = 65_536;

interface CommandPool {
  readonly command: StdioCommand;
  readonly turns: Turns;
  readonly idle: IdleSessions<McpSession>;
}

export interface McpStdioOptions {
  readonly commands: StdioCommands;
  /** Processes of one command. */
  readonly maxProcesses: number;
  /** UTF-8 bytes of a result. */
  readonly maxResultBytes: number;
  readonly report: (toolId: string, error: unknown) => void;
}

/** Calls to servers that run as processes here. One call a process at a time; a call that fails takes its process with it. */
export class McpStdioCalls {
  private readonly pools: ReadonlyMap<string, CommandPool>;
  private readonly ending = new Set<Promise<void>>();

  constructor(private readonly options: McpStdioOptions) {
    this.pools = new Map(
      Object.entries(options.commands).map(([name, command]) => [
        name,
        {
          command,
          turns: new Turns(options.maxProcesses, MAX_QUEUE),
          idle: new IdleSessions<McpSession>(options.maxProcesses, IDLE_MS),
        },
      ]),
    );
  }

  async attempt(
    call: ProviderRequest,
    commandName: string,
    tool: string,
    remainingMs: number,
  ): Promise<ProviderAnswer> {
    const pool = this.pools.get(commandName);
    if (pool === undefined) {
      this.options.report(call.toolId, new Error(`MCP_STDIO_COMMANDS has no command "${commandName}"`));
      return failure('unavailable', 'The tool is not set up in this deployment.', { retryable: false });
    }
    const endsAt = performance.now() + remainingMs;
    if (pool.turns.full) return busy;
    if (!pool.turns.tryTake() && !(await waitFor(pool.turns, remainingMs))) return busy;
    let ended: Promise<void> | undefined;
    try {
      return await this.callTool(call, pool, tool, endsAt, (session) => {
        ended = this.end(session);
      });
    } finally {
      // A process that is slow to end keeps its turn: never do more of a command run than may.
      if (ended === undefined) pool.turns.release();
      else void ended.finally(() => pool.turns.release());
    }
  }

  private async callTool(
    { toolId, parameters, signal }: ProviderRequest,
    { command, idle }: CommandPool,
    tool: string,
    endsAt: number,
    end: (session: McpSession) => void,
  ): Promise<ProviderAnswer> {
    const { maxResultBytes, report } = this.options;
    const left = (): number => endsAt - performance.now();
    let session: McpSession | undefined;
    try {
      session = idle.take() ?? (await openStdioSession(command, maxResultBytes + MESSAGE_OVERHEAD_BYTES, left()));
      const result = await session.callTool(tool, parameters, left(), signal);
      idle.put(session);
      return readToolResult(result, noSecrets, maxResultBytes);
    } catch (error) {
      const late = isLate(endsAt, signal);
      const closed = session?.closed === true;
      if (isAnsweredError(error) && !late && session !== undefined) idle.put(session);
      else if (session !== undefined) end(session);
      const circumstances = { late, closed, report: (cause: unknown) => report(toolId, cause), redact: asItIs };
      const failed = classifyMcp(error, circumstances);
      // Without a session there is nothing in which the tool could have been called.
      return session === undefined ? unsent(failed) : failed;
    }
  }

  /** Processes that wait for a call. */
  get idleProcesses(): number {
    return [...this.pools.values()].reduce((sum, { idle }) => sum + idle.size, 0);
  }

  /** Waits for the processes to end. */
  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map(({ idle }) => idle.close()));
    await Promise.all(this.ending);
  }

  /** No call waits for a process that failed to be gone; its turn does, and `close`. */
  private end(session: McpSession): Promise<void> {
    const ended = session.close().finally(() => this.ending.delete(ended));
    this.ending.add(ended);
    return ended;
  }
}

async function waitFor(turns: Turns, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const granted = await turns.wait((giveUp) => (timer = setTimeout(giveUp, ms)));
  clearTimeout(timer);
  return granted;
}

/** The secrets of a command are its environment's, and no business of this service. */
const noSecrets = new Secrets();
const asItIs = (text: string): string => text;

const busy = unsent(
  failure('execution_failed', 'Too many calls wait for this provider. Retry in a few seconds.', { retryable: true }),
);
