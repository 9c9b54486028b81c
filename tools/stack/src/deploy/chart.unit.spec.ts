import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { contexts } from '@capability-router/contracts';
import { workspaceRoot } from '../workspace.js';
import { lintChart, podsOf, renderChart, withoutPrefix } from './chart.js';
import { checkPromises, needsOf, runsAs, selects } from './check-chart.js';
import { checkPods } from './check-pods.js';
import { checkServices } from './check-services.js';
import { findingsOf, judge, readAnswers } from './kube-score.js';
import { validateManifests } from './kubernetes-schemas.js';
import { at, nameOf, ofKind, recordAt, renderKustomization, textAt, type Manifest } from './manifests.js';

const bucket = 'results.s3.bucket=results';
const minimal = renderChart({ release: 'one', values: 'minimal.yaml', set: [bucket] });
const everything = renderChart({ release: 'one', values: 'everything.yaml' });
const onVolume = renderChart({ release: 'one', values: 'minimal.yaml', set: ['results.store=volume'] });

/** Names as the kustomize base has them; its objects are those of one deployment in a namespace. */
const plain = (manifests: readonly Manifest[]): Manifest[] => withoutPrefix(manifests, 'one-capability-router-');

describe('the chart and the kustomize base', () => {
  it.each([
    ['deploy/s3-results', minimal],
    ['deploy/base', onVolume],
  ])('run the same: %s', (folder, chart) => {
    const base = withoutPrefix(renderKustomization(folder), 'capability-router-');
    const basePods = podsOf(base);
    const chartPods = podsOf(plain(chart));
    expect([...chartPods.keys()].toSorted()).toEqual([...contexts, 'prepare'].toSorted());
    for (const [name, pod] of chartPods) {
      expect({ name, ...runsAs(pod, plain(chart)) }).toEqual({ name, ...runsAs(basePods.get(name), base) });
    }
  });
});

describe('the chart', () => {
  it.each([
    ['minimal.yaml', minimal],
    ['everything.yaml', everything],
  ])('passes helm lint, and what every pod and Service must have: %s', (values, manifests) => {
    lintChart(values);
    expect(checkPods(manifests)).toEqual([]);
    expect(checkServices(plain(manifests))).toEqual([]);
    expect(checkPromises(podsOf(manifests))).toEqual([]);
  });

  it.each(['1.31', '1.34', '1.37'])('is valid for Kubernetes %s, without a member that it does not know', (version) => {
    expect(validateManifests([...minimal, ...everything], version)).toEqual([]);
    const misspelt = JSON.parse(JSON.stringify(minimal).replaceAll('"replicas"', '"replica"')) as Manifest[];
    expect(validateManifests(misspelt, version).join('\n')).toContain('replica');
  });

  it('leaves no finding of kube-score unanswered, and no answer without a finding', () => {
    const findings = [
      ...[minimal, everything, onVolume].flatMap((manifests) => findingsOf('chart', manifests)),
      ...['deploy/base', 'deploy/s3-results'].flatMap((folder) => findingsOf('base', renderKustomization(folder))),
    ];
    const answers = readAnswers();
    expect(judge(findings, answers)).toEqual([]);
    const writable = JSON.stringify(minimal).replaceAll(
      '"readOnlyRootFilesystem":true',
      '"readOnlyRootFilesystem":false',
    );
    const found = [...findings, ...findingsOf('chart', JSON.parse(writable) as Manifest[])];
    expect(judge(found, answers).join('\n')).toContain(
      'Deployment/one-capability-router-billing: container-security-context-readonlyrootfilesystem: The pod has a container',
    );
    expect(judge(findings, [...answers, { check: 'service-type', of: 'base', why: 'x' }])).toEqual([
      'base: service-type: is answered in deploy/kube-score.yaml, and kube-score no longer finds it',
    ]);
  });

  it('makes releases of one namespace that have no name in common and find no pod of one another', () => {
    const other = renderChart({ release: 'two', values: 'everything.yaml' });
    const names = new Set(everything.map(nameOf));
    expect(other.map(nameOf).filter((name) => names.has(name))).toEqual([]);
    const foreign = [...podsOf(other).values()];
    for (const selector of everything.flatMap(selectorsOf)) {
      expect(foreign.filter((pod) => selects(selector, pod))).toEqual([]);
      expect([...podsOf(everything).values()].some((pod) => selects(selector, pod))).toBe(true);
    }
  });

  it('has names that Kubernetes takes, however long that of the release is', () => {
    const long = renderChart({
      release: 'a-release-whose-name-has-exactly-fifty-two-letters',
      values: 'minimal.yaml',
    });
    expect(
      long.map((one) => textAt(one, 'metadata.name')).filter((name) => !/^[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(name)),
    ).toEqual([]);
  });

  it('makes nothing in Sync that the hook before it needs', () => {
    const [job] = ofKind(minimal, 'Job');
    expect(at(job, 'metadata.annotations.helm')).toBeUndefined();
    expect(recordAt(job, 'metadata.annotations')['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    expect(needsOf(at(job, 'spec.template'))).toEqual([]);
    const services = [...podsOf(plain(minimal))].filter(([name]) => name !== 'prepare');
    const made = new Set(plain(minimal).map(nameOf));
    for (const [name, pod] of services) {
      expect({ name, missing: needsOf(pod).filter((need) => !made.has(need)) }).toEqual({ name, missing: [] });
    }
  });

  it('makes another plain Job for another content, and none where it is told so', () => {
    const jobName = (...set: string[]): string | undefined =>
      ofKind(renderChart({ release: 'one', values: 'minimal.yaml', set }), 'Job').map(nameOf)[0];
    const name = jobName('prepare.mode=job');
    expect(name).toMatch(/^Job\/one-capability-router-prepare-[0-9a-f]{8}$/);
    expect(jobName('prepare.mode=job')).toBe(name);
    expect(jobName('prepare.mode=job', 'image.tag=0.1.1')).not.toBe(name);
    expect(jobName('prepare.mode=none')).toBeUndefined();
  });

  it('leaves the number of replicas to an autoscaler, and nothing else', () => {
    const counts = ofKind(plain(everything), 'Deployment').map((one) => [
      textAt(one, 'metadata.name'),
      at(one, 'spec.replicas'),
    ]);
    expect(Object.fromEntries(counts)).toMatchObject({ gateway: undefined, registry: 2, billing: 2 });
    expect(
      ofKind(plain(everything), 'HorizontalPodAutoscaler').map((one) => at(one, 'spec.scaleTargetRef.name')),
    ).toEqual(['gateway']);
  });

  it.each([
    ['kafka.broker=kafka:9092', "additional properties 'broker' not allowed"],
    ['services.gatway.replicas=3', "additional properties 'gatway' not allowed"],
    ['services.gateway.replica=3', "additional properties 'replica' not allowed"],
    ['replicas=3', "additional properties 'replicas' not allowed"],
    ['config.PORT=80', "invalid propertyName 'PORT'"],
    ['config.log_level=info', "invalid propertyName 'log_level'"],
    ['pods.labels.app\\.kubernetes\\.io/component=x', "invalid propertyName 'app.kubernetes.io/component'"],
    ['image.tag=latest', 'image/tag'],
    ['pods.userId=1000', 'pods/userId'],
    ['publicUrl=tools.example.com', 'publicUrl'],
    ['publicUrl=', 'publicUrl is required'],
    ['kafka.brokers=', 'kafka.brokers is required'],
    ['results.s3.bucket=', 'results.s3.bucket is required'],
  ])('refuses %s', (set, complaint) => {
    expect(() => renderChart({ release: 'one', values: 'minimal.yaml', set: [set] })).toThrow(complaint);
  });

  it('has a schema without an object that takes any key', () => {
    const schema = readFileSync(join(workspaceRoot, 'deploy/helm/capability-router/values.schema.json'), 'utf8');
    const open: unknown[] = [];
    JSON.parse(schema, (key, value: unknown) => {
      const closed = at(value, 'additionalProperties') ?? at(value, 'maxProperties');
      if (at(value, 'properties') !== undefined && closed === undefined) open.push(key);
      return value;
    });
    expect(open).toEqual([]);
  });
});

/** The labels by which an object finds pods; none where it finds no pods. */
function selectorsOf(manifest: Manifest): Readonly<Record<string, unknown>>[] {
  // It finds Services.
  if (manifest['kind'] === 'ServiceMonitor') return [];
  const found = [recordAt(manifest, 'spec.selector.matchLabels'), recordAt(manifest, 'spec.podSelector.matchLabels')];
  if (manifest['kind'] === 'Service') found.push(recordAt(manifest, 'spec.selector'));
  return found.filter((selector) => Object.keys(selector).length > 0);
}
