import { isDeepStrictEqual } from 'node:util';
import { at, listAt, nameOf, ofKind, recordAt, textAt, type Manifest } from './manifests.js';

/** The settings that every pod must have, whatever it runs: path from the pod's spec, and the value. */
const podRules: Readonly<Record<string, unknown>> = {
  automountServiceAccountToken: false,
  'securityContext.runAsNonRoot': true,
  'securityContext.seccompProfile.type': 'RuntimeDefault',
};

const containerRules: Readonly<Record<string, unknown>> = {
  'securityContext.allowPrivilegeEscalation': false,
  'securityContext.readOnlyRootFilesystem': true,
  'securityContext.capabilities.drop': ['ALL'],
};

const containerMusts = [
  'image',
  'resources.requests.cpu',
  'resources.requests.memory',
  'resources.requests.ephemeral-storage',
  'resources.limits.cpu',
  'resources.limits.memory',
  'resources.limits.ephemeral-storage',
];

const probes: Readonly<Record<string, string>> = {
  startupProbe: '/livez',
  livenessProbe: '/livez',
  readinessProbe: '/readyz',
};

/** Complaints about the pods of Deployments and Jobs. */
export function checkPods(manifests: readonly Manifest[]): string[] {
  const deployments = ofKind(manifests, 'Deployment');
  return [
    ...[...deployments, ...ofKind(manifests, 'Job')].flatMap(checkPod),
    ...deployments.flatMap(checkProbes),
    ...deployments.flatMap((deployment) => checkReachable(deployment, manifests)),
  ];
}

function checkPod(manifest: Manifest): string[] {
  const pod = at(manifest, 'spec.template.spec');
  const complaints = missing(nameOf(manifest), pod, podRules);
  for (const container of [...listAt(pod, 'initContainers'), ...listAt(pod, 'containers')]) {
    const name = `${nameOf(manifest)} container ${textAt(container, 'name')}`;
    complaints.push(...missing(name, container, containerRules));
    for (const path of containerMusts) if (at(container, path) === undefined) complaints.push(`${name}: no ${path}`);
    if (!/:[^:/]+$/.test(textAt(container, 'image')) || textAt(container, 'image').endsWith(':latest')) {
      complaints.push(`${name}: the image has no fixed tag`);
    }
  }
  return complaints;
}

function missing(name: string, value: unknown, rules: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(rules)
    .filter(([path, wanted]) => !isDeepStrictEqual(at(value, path), wanted))
    .map(([path, wanted]) => `${name}: ${path} must be ${JSON.stringify(wanted)}`);
}

function checkProbes(deployment: Manifest): string[] {
  const complaints: string[] = [];
  for (const container of listAt(deployment, 'spec.template.spec.containers')) {
    const ports = listAt(container, 'ports').map((port) => textAt(port, 'name'));
    for (const [probe, path] of Object.entries(probes)) {
      if (
        textAt(container, `${probe}.httpGet.path`) !== path ||
        !ports.includes(textAt(container, `${probe}.httpGet.port`))
      ) {
        complaints.push(`${nameOf(deployment)}: ${probe} must ask ${path} on a named port`);
      }
    }
  }
  return complaints;
}

/** Its selector finds its own pods, and a Service finds them too. */
function checkReachable(deployment: Manifest, manifests: readonly Manifest[]): string[] {
  const labels = recordAt(deployment, 'spec.template.metadata.labels');
  const finds = (selector: Readonly<Record<string, unknown>>): boolean =>
    Object.keys(selector).length > 0 && Object.entries(selector).every(([key, value]) => labels[key] === value);
  const complaints: string[] = [];
  if (!finds(recordAt(deployment, 'spec.selector.matchLabels'))) {
    complaints.push(`${nameOf(deployment)}: its selector does not find its pods`);
  }
  if (!ofKind(manifests, 'Service').some((service) => finds(recordAt(service, 'spec.selector')))) {
    complaints.push(`${nameOf(deployment)}: no Service finds its pods`);
  }
  return complaints;
}
