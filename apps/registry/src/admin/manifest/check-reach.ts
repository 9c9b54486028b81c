import type { ProviderEgress, ValidationDetail } from '@capability-router/contracts';
import { EgressRefusedError, vetUrl } from '@capability-router/provider-kit';
import type { ToolDocument } from './documents.js';

type Loc = readonly (string | number)[];

/**
 * Addresses of a tool that its own provider may not reach: the scheme, the port or the host says so. Every call would fail. An
 * address of the network is judged when it is connected to, since names lead elsewhere from one day to the next.
 */
export function checkReach({ binding }: ToolDocument, egress: ProviderEgress, base: Loc): ValidationDetail[] {
  const { auth } = binding;
  const addresses: [Loc, string][] = [];
  if (binding.kind === 'http') addresses.push([['url'], binding.url.replaceAll(/\{[^{}]*\}/g, 'x')]);
  else if (binding.server.transport === 'streamable_http') addresses.push([['server', 'url'], binding.server.url]);
  if (auth?.kind === 'oauth2_client_credentials') addresses.push([['auth', 'token_url'], auth.token_url]);
  return addresses.flatMap(([path, address]) => {
    const reason = refusalOf(address, egress);
    if (reason === undefined) return [];
    const msg = `${reason}. What may be reached is set by "egress" of the provider`;
    return [{ type: 'value_error', loc: [...base, 'binding', ...path], msg }];
  });
}

function refusalOf(address: string, egress: ProviderEgress): string | undefined {
  // Addresses of another kind are faults by themselves.
  if (!/^https?:/i.test(address)) return undefined;
  try {
    vetUrl(address, egress);
    return undefined;
  } catch (error) {
    if (!(error instanceof EgressRefusedError)) throw error;
    return judged.has(error.refusal) ? error.message : undefined;
  }
}

/** The others are faults of any address, whoever is the provider. */
const judged: ReadonlySet<EgressRefusedError['refusal']> = new Set(['scheme', 'port', 'host']);
