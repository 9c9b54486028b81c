import { contexts, type ContextName } from '@capability-router/contracts';
import { commonEnvSpec, DEFAULT_SHUTDOWN_TIMEOUT_MS } from '@capability-router/service-kit';
import { selects } from './check-chart.js';
import { checkVariables, type KnownVariables } from './env-specs.js';
import { at, listAt, nameOf, ofKind, recordAt, textAt, type Manifest } from './manifests.js';

/** Milliseconds for which the stock configurations of CoreDNS and of NodeLocal DNSCache may keep the addresses of a name. */
const NAMES_KEPT_MS = 30_000;
/** Milliseconds after which a caller looks a name up again, at the latest. */
const LOOK_UP_MS = 5_000;

/** Complaints about the environment of the six Deployments: unknown and missing names, broken references, grace period and draining. */
export function checkEnvironments(
  manifests: readonly Manifest[],
  known: Readonly<Record<ContextName, KnownVariables>>,
): string[] {
  const complaints: string[] = [];
  for (const name of contexts) {
    const deployment = ofKind(manifests, 'Deployment').find((one) => textAt(one, 'metadata.name') === name);
    if (deployment === undefined) complaints.push(`There is no Deployment/${name}`);
    else complaints.push(...checkEnvironment(deployment, manifests, known[name]));
  }
  return complaints;
}

function checkEnvironment(deployment: Manifest, manifests: readonly Manifest[], known: KnownVariables): string[] {
  const where = nameOf(deployment);
  const container = at(deployment, 'spec.template.spec.containers.0');
  const complaints: string[] = [];
  const values = new Map<string, unknown>();
  for (const source of listAt(container, 'envFrom')) {
    const name = textAt(source, 'configMapRef.name');
    const configMap = ofKind(manifests, 'ConfigMap').find((one) => textAt(one, 'metadata.name') === name);
    if (configMap === undefined) complaints.push(`${where}: envFrom names no ConfigMap of this base`);
    for (const [key, value] of Object.entries(recordAt(configMap, 'data'))) values.set(key, value);
  }
  for (const variable of listAt(container, 'env')) values.set(textAt(variable, 'name'), at(variable, 'value'));
  complaints.push(...checkVariables(where, values.keys(), known));

  const graceMs = Number(at(deployment, 'spec.template.spec.terminationGracePeriodSeconds') ?? 0) * 1000;
  const shutdownMs = Number(values.get('SHUTDOWN_TIMEOUT_MS') ?? DEFAULT_SHUTDOWN_TIMEOUT_MS);
  if (graceMs <= shutdownMs) {
    complaints.push(`${where}: a grace period of ${graceMs} ms kills a shutdown that may take ${shutdownMs} ms`);
  }
  const drainMs = Number(values.get('SHUTDOWN_DRAIN_MS') ?? commonEnvSpec.SHUTDOWN_DRAIN_MS.default);
  if (isFoundByName(deployment, manifests) && drainMs < NAMES_KEPT_MS + LOOK_UP_MS) {
    complaints.push(`${where}: callers may ask for it longer than the ${drainMs} ms of its SHUTDOWN_DRAIN_MS`);
  }
  return complaints;
}

/** Does a Service without an address of its own lead to it? */
function isFoundByName(deployment: Manifest, manifests: readonly Manifest[]): boolean {
  const template = at(deployment, 'spec.template');
  const services = ofKind(manifests, 'Service').filter((one) => selects(recordAt(one, 'spec.selector'), template));
  return services.some((one) => at(one, 'spec.clusterIP') === 'None');
}
