import type { ProviderChannels } from '../channels/provider-channels.js';
import { isFailure, type Authorizer } from '../credentials/authorizer.js';
import { failure, type ProviderAdapter, type ProviderAnswer, type ProviderRequest } from '../provider-adapter.js';
import type { McpHttpCalls } from './mcp-http-calls.js';
import type { McpStdioCalls } from './mcp-stdio-calls.js';
import type { StdioCommands } from './stdio-commands.js';

export interface McpAdapterParts {
  readonly channels: ProviderChannels;
  readonly authorizer: Authorizer;
  readonly stdioCommands?: StdioCommands;
  /** Processes of one stdio command. Default 2. */
  readonly maxStdioProcesses?: number;
  /** UTF-8 bytes of a result of a stdio server. */
  readonly maxResultBytes: number;
  /** Faults of bindings and of this deployment, which an operator has to look at. */
  readonly report: (toolId: string, error: unknown) => void;
}

const DEFAULT_MAX_STDIO_PROCESSES = 2;

interface Calls {
  readonly http: McpHttpCalls;
  readonly stdio: McpStdioCalls;
}

/** Calls tools of MCP servers. The SDK, which is large, is loaded by the first call. */
export class McpAdapter implements ProviderAdapter {
  private loading: Promise<Calls> | undefined;
  private loaded: Calls | undefined;

  constructor(private readonly parts: McpAdapterParts) {}

  async call(request: ProviderRequest): Promise<ProviderAnswer> {
    try {
      return await this.callMcp(request);
    } catch (error) {
      // An egress policy or a URL that cannot be read: the catalogue's fault, not the caller's.
      this.parts.report(request.toolId, error);
      return failure('execution_failed', 'The tool is not set up rightly in this deployment.', { retryable: false });
    }
  }

  private async callMcp(request: ProviderRequest): Promise<ProviderAnswer> {
    const { binding, provider, toolId } = request;
    if (binding.kind !== 'mcp') throw new Error(`${toolId} is no MCP tool`);
    const { server, tool } = binding;
    const channel = this.parts.channels.of(provider);
    const retrySafe = binding.retrySafe ?? false;
    const { http, stdio } = this.loaded ?? (await (this.loading ??= this.load()));
    if (server.transport === 'stdio') {
      return channel.run(request, retrySafe, (remainingMs) =>
        stdio.attempt(request, server.command, tool, remainingMs),
      );
    }
    const credential = await this.parts.authorizer.credentialFor(binding.auth, request);
    if (isFailure(credential)) return credential;
    const call = { ...request, binding, url: server.url };
    return channel.run(request, retrySafe, (remainingMs) => http.attempt(call, channel, credential, remainingMs));
  }

  /** Sessions in which a credential was shown that is not used any more are ended. */
  forgetCredential(version: string): void {
    this.loaded?.http.forgetCredential(version);
  }

  /** Processes of stdio servers that wait for a call. */
  get idleProcesses(): number {
    return this.loaded?.stdio.idleProcesses ?? 0;
  }

  async close(): Promise<void> {
    await Promise.all([this.loaded?.http.close(), this.loaded?.stdio.close()]);
  }

  private async load(): Promise<Calls> {
    const { McpHttpCalls, McpStdioCalls } = await import('./mcp-calls.js');
    const { authorizer, stdioCommands = {}, maxStdioProcesses, maxResultBytes, report } = this.parts;
    this.loaded = {
      http: new McpHttpCalls(authorizer, report),
      stdio: new McpStdioCalls({
        commands: stdioCommands,
        maxProcesses: maxStdioProcesses ?? DEFAULT_MAX_STDIO_PROCESSES,
        maxResultBytes,
        report,
      }),
    };
    return this.loaded;
  }
}
