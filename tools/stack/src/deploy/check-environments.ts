import { contexts, type ContextName } from '@capability-router/contracts';
import { DEFAULT_SHUTDOWN_TIMEOUT_MS } from '@capability-router/service-kit';
import { checkVariables, type KnownVariables } from './env-specs.js';
import { at, listAt, nameOf, ofKind, recordAt, textAt, type Manifest } from './manifests.js';

/** Complaints about the environment of the six Deployments: unknown and missing names, broken references, grace period. */
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
  return complaints;
}
