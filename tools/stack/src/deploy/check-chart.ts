import { at, listAt, ofKind, recordAt, textAt, type Manifest } from './manifests.js';

/** The environment of the first container of a pod by name: a text, or the reference to a Secret. */
export function environmentOf(pod: unknown, manifests: readonly Manifest[]): Readonly<Record<string, unknown>> {
  const container = at(pod, 'spec.containers.0');
  const environment: Record<string, unknown> = {};
  for (const source of listAt(container, 'envFrom')) {
    const name = textAt(source, 'configMapRef.name');
    const configMap = ofKind(manifests, 'ConfigMap').find((one) => textAt(one, 'metadata.name') === name);
    Object.assign(environment, recordAt(configMap, 'data'));
  }
  for (const variable of listAt(container, 'env')) {
    environment[textAt(variable, 'name')] = at(variable, 'value') ?? at(variable, 'valueFrom.secretKeyRef');
  }
  return environment;
}

const partsOfContainers = ['args', 'ports', 'startupProbe', 'livenessProbe', 'readinessProbe', 'volumeMounts'] as const;
const limited = ['requests', 'limits'].flatMap((kind) =>
  ['cpu', 'memory', 'ephemeral-storage'].map((resource) => `${kind}.${resource}`),
);

/** How a pod runs, apart from names of objects and from where its image comes. */
export function runsAs(pod: unknown, manifests: readonly Manifest[]): Readonly<Record<string, unknown>> {
  const container = at(pod, 'spec.containers.0');
  return {
    environment: environmentOf(pod, manifests),
    grace: at(pod, 'spec.terminationGracePeriodSeconds'),
    volumes: sorted(listAt(pod, 'spec.volumes')),
    ...Object.fromEntries(partsOfContainers.map((part) => [part, sorted(at(container, part))])),
    ...Object.fromEntries(limited.map((path) => [path, at(container, `resources.${path}`)])),
  };
}

/** The objects that a pod needs before it starts, `Kind/name`; optional ones are left out. */
export function needsOf(pod: unknown): string[] {
  const container = at(pod, 'spec.containers.0');
  return [
    ...listAt(container, 'envFrom').map((source) => `ConfigMap/${textAt(source, 'configMapRef.name')}`),
    ...listAt(pod, 'spec.volumes').map(
      (one) => `PersistentVolumeClaim/${textAt(one, 'persistentVolumeClaim.claimName')}`,
    ),
    `ServiceAccount/${textAt(pod, 'spec.serviceAccountName')}`,
  ].filter((need) => !need.endsWith('/'));
}

/** Complaints about what Pod Security `restricted` does not ask for, and this chart promises. */
export function checkPromises(pods: ReadonlyMap<string, Manifest>): string[] {
  return [...pods].flatMap(([name, pod]) => {
    const complaints: string[] = [];
    for (const path of ['runAsUser', 'runAsGroup']) {
      if (Number(at(pod, `spec.securityContext.${path}`) ?? 0) <= 10_000) complaints.push(`${name}: ${path} is low`);
    }
    for (const spread of listAt(pod, 'spec.topologySpreadConstraints')) {
      if (!selects(recordAt(spread, 'labelSelector.matchLabels'), pod)) complaints.push(`${name}: spreads others`);
    }
    return complaints;
  });
}

/** Does this selector find this pod? One without labels finds all. */
export function selects(selector: Readonly<Record<string, unknown>>, pod: unknown): boolean {
  const labels = recordAt(pod, 'metadata.labels');
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}

function sorted(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.toSorted((one: unknown, other: unknown) => textAt(one, 'name').localeCompare(textAt(other, 'name')));
}
