import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { servicesWithDatabase } from '../parts/databases.js';
import { workspaceRoot } from '../workspace.js';
import { podsOf, renderChart } from './chart.js';
import { environmentOf, selects } from './check-chart.js';
import { checkPods } from './check-pods.js';
import { validateManifests } from './kubernetes-schemas.js';
import { ofKind, recordAt, type Manifest } from './manifests.js';

const pod = parse(readFileSync(join(workspaceRoot, 'deploy/operator-pod.yaml'), 'utf8')) as Manifest;
const chart = renderChart({ release: 'capability-router', values: 'minimal.yaml' });

it('the pod for operators is one that Pod Security restricted admits, and valid', () => {
  const asJob = { kind: 'Job', metadata: recordAt(pod, 'metadata'), spec: { template: pod } };
  expect(checkPods([asJob])).toEqual([]);
  expect(validateManifests([pod], '1.34')).toEqual([]);
});

it('has what caprouter reads, from where the pods of the chart have it', () => {
  const environment = environmentOf(pod, chart);
  const ofChart = environmentOf(podsOf(chart).get('capability-router-prepare'), chart);
  for (const service of servicesWithDatabase) {
    const name = `${service.toUpperCase().replaceAll('-', '_')}_DATABASE_URL`;
    expect([name, environment[name]]).toEqual([name, ofChart[name]]);
  }
  for (const name of ['KAFKA_BROKERS', 'GATEWAY_URL']) expect([name, environment[name]]).toEqual([name, ofChart[name]]);
});

it('has no label by which a network policy of the chart chooses it', () => {
  const chosen = ofKind(chart, 'NetworkPolicy').filter((one) =>
    selects(recordAt(one, 'spec.podSelector.matchLabels'), pod),
  );
  expect(chosen).toEqual([]);
});
