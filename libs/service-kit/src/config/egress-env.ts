import type { EnvValues } from './load-env.js';
import { flag, text, url } from './validators.js';

/** Variables of services that speak to providers. */
export const egressEnvSpec = {
  EGRESS_PROXY_URL: url(['http', 'https'], {
    desc: 'HTTP proxy (CONNECT) that all connections to providers go through; user and password may be part of it.',
    default: undefined,
    example: 'http://egress-proxy:3128',
  }),
  EGRESS_PROXY_RESOLVES_NAMES: flag({
    desc: 'The proxy is given host names and keeps inner addresses out by itself. Otherwise names are resolved and vetted here, and the proxy is given the address.',
    default: false,
  }),
  MCP_STDIO_COMMANDS: text({
    desc: 'Commands that MCP bindings over stdio may name, as JSON by name: `command`, and where needed `args`, `env`, `cwd`.',
    default: '{}',
    example: '{"files":{"command":"mcp-server-filesystem","args":["/srv/shared"]}}',
  }),
};

/** How connections to providers leave; members of `EgressSettings` in provider-kit. */
export function loadEgressProxy(values: EnvValues<typeof egressEnvSpec>): {
  readonly proxyUrl?: string;
  readonly proxyResolvesNames: boolean;
} {
  const { EGRESS_PROXY_URL: proxyUrl, EGRESS_PROXY_RESOLVES_NAMES: proxyResolvesNames } = values;
  return { proxyResolvesNames, ...(proxyUrl === undefined ? {} : { proxyUrl }) };
}
