import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContextName } from '@capability-router/contracts';
import { workspaceRoot } from '../workspace.js';
import { selects } from './check-chart.js';
import { at, listAt, ofKind, recordAt, textAt, type Manifest } from './manifests.js';

/** The connections that pods of one component may open. */
export interface Reach {
  readonly services: readonly string[];
  readonly stores: boolean;
  readonly names: boolean;
  readonly internet: boolean;
}

const componentLabel = 'app.kubernetes.io/component';
const httpPort = 8080;
const postgresPort = 5432;
const dnsPort = 53;

/**
 * By component, what the network policies of a release let its pods reach: a service only where the caller may go out to it and the
 * service lets the caller in.
 */
export function reachOf(manifests: readonly Manifest[]): Record<string, Reach> {
  const policies = ofKind(manifests, 'NetworkPolicy');
  const components = policies.map(componentOf);
  return Object.fromEntries(
    policies.map((policy) => {
      const egress = listAt(policy, 'spec.egress');
      const pod = podOf(policy);
      const services = components.filter((callee) => {
        const target = policies.find((one) => componentOf(one) === callee);
        const goesOut = egress.some((rule) => opens(rule, httpPort) && matches(listAt(rule, 'to'), podOf(target)));
        return goesOut && listAt(target, 'spec.ingress').some((rule) => opens(rule, httpPort) && letsIn(rule, pod));
      });
      const reach: Reach = {
        services: services.toSorted(),
        stores: egress.some((rule) => opens(rule, postgresPort) && at(rule, 'ports') !== undefined),
        names: egress.some((rule) => opens(rule, dnsPort) && at(rule, 'ports') !== undefined),
        internet: egress.some((rule) => listAt(rule, 'to').some((to) => textAt(to, 'ipBlock.cidr') === '0.0.0.0/0')),
      };
      return [componentOf(policy), reach] as const;
    }),
  );
}

function componentOf(policy: Manifest): string {
  const component = recordAt(policy, 'spec.podSelector.matchLabels')[componentLabel];
  return typeof component === 'string' ? component : '';
}

/** A pod that the policy is about. */
function podOf(policy: unknown): unknown {
  return { metadata: { labels: recordAt(policy, 'spec.podSelector.matchLabels') } };
}

function opens(rule: unknown, port: number): boolean {
  return at(rule, 'ports') === undefined || listAt(rule, 'ports').some((one) => at(one, 'port') === port);
}

function letsIn(rule: unknown, pod: unknown): boolean {
  return at(rule, 'from') === undefined || matches(listAt(rule, 'from'), pod);
}

/** Is one of the peers this pod of the same namespace? */
function matches(peers: readonly unknown[], pod: unknown): boolean {
  return peers.some((peer) => {
    const labels = recordAt(peer, 'podSelector.matchLabels');
    return at(peer, 'namespaceSelector') === undefined && Object.keys(labels).length > 0 && selects(labels, pod);
  });
}

/** The services that a service lets in, as `@AllowCallers` of its controllers says. */
export function allowedCallers(service: ContextName): string[] {
  const folder = join(workspaceRoot, 'apps', service, 'src');
  const callers = new Set<string>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.controller.ts')) continue;
    for (const [, names = ''] of readFileSync(join(folder, path), 'utf8').matchAll(/@AllowCallers\(([^)]*)\)/g)) {
      for (const [, name = ''] of names.matchAll(/'([a-z-]+)'/g)) callers.add(name);
    }
  }
  return [...callers].toSorted();
}

/** The rows of the table in the README of the chart that begins with this column, as cells. */
export function readTable(markdown: string, firstColumn: string): string[][] {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${firstColumn} `));
  if (start < 0) throw new Error(`There is no table whose first column is ${firstColumn}`);
  const rows: string[][] = [];
  for (const line of lines.slice(start + 2)) {
    if (!line.startsWith('|')) break;
    rows.push(
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  }
  return rows;
}
