import { parseStdioCommands, type StdioCommands } from '@capability-router/provider-kit/stdio-commands';
import {
  ConfigError,
  egressEnvSpec,
  integer,
  loadEgressProxy,
  type EnvValues,
} from '@capability-router/service-kit/config';

const KIBIBYTE = 1_024;
const MEBIBYTE = 1_048_576;

export const providersEnvSpec = {
  BUILTIN_MAX_PROCESSES: integer({
    desc: 'Processes that run calls of built-in tools at once; one account has all but one of them at most. One stays when none is needed, and there may be one more, ready to replace one that is ended.',
    min: 1,
    max: 64,
    default: 3,
  }),
  BUILTIN_MAX_QUEUE: integer({
    desc: 'Calls of built-in tools that may wait for a process; accounts take turns.',
    min: 1,
    max: 100_000,
    default: 1_000,
  }),
  BUILTIN_MAX_HEAP_MB: integer({
    desc: 'Megabytes of JavaScript heap of a process that runs built-in tools.',
    min: 32,
    max: 4_096,
    default: 256,
  }),
  BUILTIN_MAX_RESIDENT_MB: integer({
    desc: 'Megabytes of resident memory, heap included, above which a process that runs built-in tools is ended. Seen on Linux only.',
    min: 128,
    max: 16_384,
    default: 512,
  }),
  JSONPATH_MAX_PROCESSES: integer({
    desc: 'Processes that evaluate JSONPath of tools, and as many that evaluate that of callers; each starts when it is needed. One tool or account has all but one of them at most.',
    min: 1,
    max: 32,
    default: 2,
  }),
  PROVIDER_CONNECT_TIMEOUT_MS: integer({
    desc: "Milliseconds for resolving a provider's name, connecting and the TLS handshake together.",
    min: 100,
    max: 60_000,
    default: 5_000,
  }),
  PROVIDER_MAX_CONCURRENT: integer({
    desc: 'Calls that one provider gets from this process at once, each on a connection of its own.',
    min: 1,
    max: 10_000,
    default: 128,
  }),
  PROVIDER_MAX_QUEUE: integer({
    desc: 'Calls that may wait for one provider; above it a call is refused at once.',
    min: 1,
    max: 100_000,
    default: 512,
  }),
  PROVIDER_BREAKER_PAUSE_MS: integer({
    desc: 'Milliseconds for which a provider that keeps failing is left alone before one call finds out whether it is back.',
    min: 100,
    max: 600_000,
    default: 10_000,
  }),
  PROVIDER_MAX_KEPT: integer({
    desc: 'Providers whose connections and breakers are kept; the one not called for longest goes first.',
    min: 1,
    max: 100_000,
    default: 1_000,
  }),
  PROVIDER_MAX_RESPONSE_BYTES: integer({
    desc: "Bytes of a provider's answer, decompressed.",
    min: KIBIBYTE,
    max: 256 * MEBIBYTE,
    default: 8 * MEBIBYTE,
  }),
  PROVIDER_MAX_HEADER_BYTES: integer({
    desc: "Bytes of the header section of a provider's answer.",
    min: KIBIBYTE,
    max: MEBIBYTE,
    default: 16 * KIBIBYTE,
  }),
  PROVIDER_KEEP_ALIVE_MS: integer({
    desc: 'Milliseconds that an idle connection to a provider is kept.',
    min: 1_000,
    max: 600_000,
    default: 30_000,
  }),
  MCP_STDIO_MAX_PROCESSES: integer({
    desc: 'Processes of one command of `MCP_STDIO_COMMANDS`.',
    min: 1,
    max: 64,
    default: 2,
  }),
  ...egressEnvSpec,
};

export interface ProvidersConfig {
  readonly builtin: {
    readonly maxProcesses: number;
    readonly maxQueue: number;
    readonly maxHeapMb: number;
    readonly maxResidentMb: number;
  };
  readonly jsonPathMaxProcesses: number;
  /** Bounds of one provider's calls, and the way out. */
  readonly channels: {
    readonly connectTimeoutMs: number;
    readonly maxConcurrent: number;
    readonly maxQueue: number;
    readonly breakerPauseMs: number;
    readonly maxProviders: number;
    readonly maxBodyBytes: number;
    readonly maxHeaderBytes: number;
    readonly keepAliveMs: number;
    readonly proxyUrl?: string;
    readonly proxyResolvesNames: boolean;
  };
  readonly stdioCommands: StdioCommands;
  readonly maxStdioProcesses: number;
}

/** Throws `ConfigError` where the stdio commands cannot be read. */
export function providersConfigOf(values: EnvValues<typeof providersEnvSpec>): ProvidersConfig {
  return {
    builtin: {
      maxProcesses: values.BUILTIN_MAX_PROCESSES,
      maxQueue: values.BUILTIN_MAX_QUEUE,
      maxHeapMb: values.BUILTIN_MAX_HEAP_MB,
      maxResidentMb: values.BUILTIN_MAX_RESIDENT_MB,
    },
    jsonPathMaxProcesses: values.JSONPATH_MAX_PROCESSES,
    channels: {
      connectTimeoutMs: values.PROVIDER_CONNECT_TIMEOUT_MS,
      maxConcurrent: values.PROVIDER_MAX_CONCURRENT,
      maxQueue: values.PROVIDER_MAX_QUEUE,
      breakerPauseMs: values.PROVIDER_BREAKER_PAUSE_MS,
      maxProviders: values.PROVIDER_MAX_KEPT,
      maxBodyBytes: values.PROVIDER_MAX_RESPONSE_BYTES,
      maxHeaderBytes: values.PROVIDER_MAX_HEADER_BYTES,
      keepAliveMs: values.PROVIDER_KEEP_ALIVE_MS,
      ...loadEgressProxy(values),
    },
    stdioCommands: stdioCommandsOf(values.MCP_STDIO_COMMANDS),
    maxStdioProcesses: values.MCP_STDIO_MAX_PROCESSES,
  };
}

function stdioCommandsOf(json: string): StdioCommands {
  try {
    return parseStdioCommands(json);
  } catch (error) {
    throw new ConfigError({ MCP_STDIO_COMMANDS: error instanceof Error ? error.message : 'cannot be read' });
  }
}
