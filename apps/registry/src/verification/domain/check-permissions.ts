import type { ToolContract } from '@capability-router/contracts';
import { failed, passed, type Finding } from './finding.js';
import { isAtOrBelow, reachOf } from './reach.js';

/**
 * Passes where every host that the binding names is among the hosts that the provider declares (`egress.allow_hosts`), and
 * no declared host stands for a whole top-level domain. Built-in tools have no network, and a command over stdio is one
 * that the operator's configuration names.
 */
export function checkPermissions({ binding, provider }: Pick<ToolContract, 'binding' | 'provider'>): Finding {
  const name = 'permissions';
  if (binding.kind === 'builtin') return passed(name, { reaches: 'nothing: built-in tools run without a network' });
  const reached = reachOf(binding).map(({ host }) => host);
  if (reached.length === 0) return passed(name, { reaches: "a command of the operator's configuration" });
  const declared = provider.egress?.allowHosts ?? [];
  const evidence = { reaches: reached, declared: [...declared] };
  if (declared.length === 0) {
    return failed(
      name,
      'The provider declares no hosts, so that it may reach every one. List them in egress.allow_hosts.',
      evidence,
    );
  }
  const wide = declared.find((pattern) => /^\*\.[^.]+$/.test(pattern));
  if (wide !== undefined) {
    return failed(
      name,
      `egress.allow_hosts has "${wide}", which is a whole top-level domain. Name the hosts.`,
      evidence,
    );
  }
  const beyond = reached.find((host) => !declared.some((pattern) => isDeclared(host, pattern)));
  return beyond === undefined
    ? passed(name, evidence)
    : failed(name, `The binding names ${beyond}, which is not among egress.allow_hosts.`, evidence);
}

function isDeclared(host: string, pattern: string): boolean {
  if (!pattern.startsWith('*.')) return host === pattern;
  const domain = pattern.slice(2);
  return host !== domain && isAtOrBelow(host, domain);
}
