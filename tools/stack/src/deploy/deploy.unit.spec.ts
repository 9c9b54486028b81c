import { describe, expect, it } from '@jest/globals';
import { contexts, type ContextName } from '@capability-router/contracts';
import { checkCompose, readComposeFile } from './check-compose.js';
import { checkEnvironments } from './check-environments.js';
import { checkPods } from './check-pods.js';
import { checkServices } from './check-services.js';
import { knownVariables, type KnownVariables } from './env-specs.js';
import { ofKind, renderKustomization, type Manifest } from './manifests.js';

const manifests = renderKustomization('deploy/base');

/** A copy of the rendered base in which every Deployment is changed as text. */
function changed(from: string, to: string): Manifest[] {
  const text = JSON.stringify(manifests);
  if (!text.includes(from)) throw new Error(`The base does not hold ${from}`);
  return JSON.parse(text.replaceAll(from, to)) as Manifest[];
}

describe('the kustomize base', () => {
  it('has pods that are probed, limited and without privileges', () => {
    expect(ofKind(manifests, 'Deployment')).toHaveLength(contexts.length);
    expect(checkPods(manifests)).toEqual([]);
  });

  it.each([
    ['a pod that may run as root', '"runAsNonRoot":true', '"runAsNonRoot":false', 'runAsNonRoot must be true'],
    ['a writable root file system', '"readOnlyRootFilesystem":true', '"x":1', 'readOnlyRootFilesystem must be true'],
    ['kept capabilities', '"drop":["ALL"]', '"drop":["NET_RAW"]', 'capabilities.drop must be ["ALL"]'],
    ['a missing readiness probe', '"readinessProbe"', '"x"', 'readinessProbe must ask /readyz'],
    [
      'a missing memory limit',
      '"ephemeral-storage":"512Mi","memory":',
      '"ephemeral-storage":"512Mi","x":',
      'no resources.limits.memory',
    ],
    ['an image that moves', '"capability-router-billing:0.1.0"', '"capability-router-billing:latest"', 'no fixed tag'],
    ['a Service that finds nothing', '"selector":{"app.kubernetes.io/name":"billing"}', '"selector":{}', 'no Service'],
  ])('is refused with %s', (_what, from, to, complaint) => {
    expect(checkPods(changed(from, to)).join('\n')).toContain(complaint);
  });

  it('has Services whose names stand for each pod that is ready, but for that of the gateway', () => {
    expect(checkServices(manifests)).toEqual([]);
  });

  it.each([
    ['one address', '"clusterIP":"None"', '"x":1', 'Service/billing: clusterIP must be None'],
    ['pods that are not ready', '"publishNotReadyAddresses":false', '"x":1', 'publishNotReadyAddresses must be false'],
    ['a port that nobody listens on', '"port":8080', '"port":80', 'Service/execution: its port must be the one'],
    ['nothing', '"kind":"Service"', '"kind":"X"', 'Service/identity: is missing'],
  ])('is refused with %s behind the name of a service', (_what, from, to, complaint) => {
    expect(checkServices(changed(from, to)).join('\n')).toContain(complaint);
  });

  it('is refused with a variable that nobody reads, one that is missing, and too short a time to end in', () => {
    const nothing = Object.fromEntries(contexts.map((name) => [name, knownVariables()])) as Known;
    const demanding: KnownVariables = new Map([['NOT_GIVEN', true]]);
    expect(checkEnvironments(manifests, nothing)).toContain('Deployment/gateway: there is no variable PUBLIC_URL');
    expect(checkEnvironments(manifests, { ...nothing, billing: demanding })).toContain(
      'Deployment/billing: NOT_GIVEN is required and not given',
    );
    const hasty = changed('"terminationGracePeriodSeconds":80', '"terminationGracePeriodSeconds":5');
    expect(checkEnvironments(hasty, nothing).join('\n')).toContain('a grace period of 5000 ms kills a shutdown');
    const early = changed('"SHUTDOWN_DRAIN_MS":"40000"', '"SHUTDOWN_DRAIN_MS":"34999"');
    const late = checkEnvironments(early, nothing).filter((complaint) => complaint.includes('callers may ask'));
    // The gateway's Service has an address.
    expect(late).toHaveLength(contexts.length - 1);
  });
});

describe('the kustomization with results in a bucket', () => {
  it('is the base without a shared volume, and nothing of that is left', () => {
    const inBucket = renderKustomization('deploy/s3-results');
    expect(checkPods(inBucket)).toEqual([]);
    expect(inBucket).toHaveLength(manifests.length - 1);
    const text = JSON.stringify(ofKind(inBucket, 'Deployment').find(({ metadata }) => nameIs(metadata, 'execution')));
    expect(text).toContain('{"name":"RESULT_STORE","value":"s3"}');
    expect(text).not.toMatch(/RESULT_STORE_DIR|persistentVolumeClaim|"mountPath":"\/data"/);
    expect(ofKind(inBucket, 'PersistentVolumeClaim')).toEqual([]);
  });
});

describe('the compose file', () => {
  it('starts every service after prepare, without capabilities', () => {
    const nothing = Object.fromEntries(contexts.map((name) => [name, knownVariables()])) as Known;
    const complaints = checkCompose(readComposeFile(), nothing).filter((line) => !line.includes('no variable'));
    expect(complaints).toEqual([]);
  });
});

const nameIs = (metadata: unknown, name: string): boolean => (metadata as { name?: unknown }).name === name;

type Known = Record<ContextName, KnownVariables>;
