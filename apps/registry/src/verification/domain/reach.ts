import type { ToolBinding } from '@capability-router/contracts';

/** A place that calls of a tool are sent to. */
export interface ReachedOrigin {
  /** `https://api.example.com:8443` */
  readonly origin: string;
  /** In lower case, without the port. */
  readonly host: string;
  /** Credentials are sent there to get a token, beside the calls themselves. */
  readonly isTokenEndpoint: boolean;
}

/** Every origin that the binding names; none for tools that the deployment runs itself. */
export function reachOf(binding: ToolBinding): ReachedOrigin[] {
  if (binding.kind === 'builtin') return [];
  const addresses: [string, boolean][] = [];
  if (binding.kind === 'http') addresses.push([binding.url.replaceAll(/\{[^{}]*\}/g, 'x'), false]);
  else if (binding.server.transport === 'streamable_http') addresses.push([binding.server.url, false]);
  if (binding.auth.kind === 'oauth2_client_credentials') addresses.push([binding.auth.tokenUrl, true]);
  return addresses.flatMap(([address, isTokenEndpoint]) => {
    if (!URL.canParse(address)) return [];
    const { origin, hostname } = new URL(address);
    return [{ origin, host: hostname.toLowerCase(), isTokenEndpoint }];
  });
}

/** `api.example.com` is below `example.com`, and `notexample.com` is not. */
export const isAtOrBelow = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);
