import type { ProviderAuth, ToolBinding, ToolContract } from '@capability-router/contracts';

/** How the published tools of a provider show who calls. */
export interface ProviderAccess {
  readonly providerId: string;
  readonly credential: 'deployment' | 'account';
  /** One of each kind that is in use; none where every tool goes without. */
  readonly kinds: readonly CredentialKind[];
}

export type CredentialKind = Exclude<ProviderAuth['kind'], 'none'>;

const none: ProviderAuth = { kind: 'none' };

/** Names the way in which calls are signed. Built-in tools and processes of the operator's know who calls. */
export function authOf(binding: ToolBinding): ProviderAuth {
  if (binding.kind === 'builtin') return none;
  return binding.kind === 'mcp' && binding.server.transport === 'stdio' ? none : binding.auth;
}

/** Undefined where the provider has no published tool. */
export function accessOf(providerId: string, tools: Iterable<ToolContract>): ProviderAccess | undefined {
  const kinds = new Set<CredentialKind>();
  let known = false;
  let ofAccounts = false;
  for (const tool of tools) {
    if (tool.providerId !== providerId) continue;
    known = true;
    // While a change of the provider arrives tool by tool, the stricter one counts.
    if (tool.provider.credential === 'account') ofAccounts = true;
    const { kind } = authOf(tool.binding);
    if (kind !== 'none') kinds.add(kind);
  }
  if (!known) return undefined;
  return { providerId, credential: ofAccounts ? 'account' : 'deployment', kinds: [...kinds].sort() };
}
