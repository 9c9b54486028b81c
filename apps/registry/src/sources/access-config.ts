import { parseStdioCommands } from '@capability-router/provider-kit/stdio-commands';
import { ConfigError, egressEnvSpec, loadEgressProxy, type EnvValues } from '@capability-router/service-kit/config';
import type { SourceAccess } from './read-source.js';

export const sourceEnvSpec = egressEnvSpec;

/** Throws `ConfigError` where the stdio commands cannot be read. */
export function toSourceAccess(values: EnvValues<typeof sourceEnvSpec>): SourceAccess {
  try {
    return { egress: loadEgressProxy(values), stdioCommands: parseStdioCommands(values.MCP_STDIO_COMMANDS) };
  } catch (error) {
    throw new ConfigError({ MCP_STDIO_COMMANDS: (error as Error).message });
  }
}
