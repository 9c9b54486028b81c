import { contexts } from '@capability-router/contracts';
import { at, listAt, nameOf, ofKind, recordAt, textAt, type Manifest } from './manifests.js';

/**
 * Complaints about the Services. The gateway's is for an Ingress. Those of the others have no address of their own, so that
 * their names stand for the pods that are ready, at the port that the pods listen on: nothing translates it.
 */
export function checkServices(manifests: readonly Manifest[]): string[] {
  return contexts.flatMap((name) => {
    const service = ofKind(manifests, 'Service').find((manifest) => textAt(manifest, 'metadata.name') === name);
    if (service === undefined) return [`Service/${name}: is missing`];
    const headless = textAt(service, 'spec.clusterIP') === 'None';
    if (name === 'gateway') return headless ? [`${nameOf(service)}: must have an address`] : [];
    const complaints = headless ? [] : [`${nameOf(service)}: clusterIP must be None, or its callers see one address`];
    if (at(service, 'spec.publishNotReadyAddresses') !== false) {
      complaints.push(`${nameOf(service)}: publishNotReadyAddresses must be false`);
    }
    const ports = listAt(service, 'spec.ports').map((port) => at(port, 'port'));
    if (ports.length !== 1 || !listensOn(manifests, service, ports[0])) {
      complaints.push(`${nameOf(service)}: its port must be the one that its pods listen on`);
    }
    return complaints;
  });
}

function listensOn(manifests: readonly Manifest[], service: Manifest, port: unknown): boolean {
  const selector = Object.entries(recordAt(service, 'spec.selector'));
  return ofKind(manifests, 'Deployment')
    .filter((deployment) => {
      const labels = recordAt(deployment, 'spec.template.metadata.labels');
      return selector.every(([key, value]) => labels[key] === value);
    })
    .flatMap((deployment) => listAt(deployment, 'spec.template.spec.containers'))
    .some((container) => listAt(container, 'ports').some((open) => at(open, 'containerPort') === port));
}
