import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { contexts } from '@capability-router/contracts';
import { parse } from 'yaml';
import { workspaceRoot } from '../workspace.js';
import { renderChart } from './chart.js';
import { allowedCallers, reachOf, readTable, type Reach } from './check-network.js';
import { at, listAt, ofKind, recordAt, textAt, type Manifest } from './manifests.js';

const minimal = renderChart({ release: 'one', values: 'minimal.yaml' });
const everything = renderChart({ release: 'one', values: 'everything.yaml' });
const readme = readFileSync(join(workspaceRoot, 'deploy/helm/capability-router/README.md'), 'utf8');

describe('the network policies of the chart', () => {
  it.each([
    ['minimal.yaml', minimal],
    ['everything.yaml', everything],
  ])('let through what the table of the README says, and nothing else: %s', (_values, manifests) => {
    const table = readTable(readme, 'Pods of').map(([who = '', services = '', stores, names, internet]) => {
      const reach: Reach = {
        services: services === '–' ? [] : services.split(', ').toSorted(),
        stores: stores === 'yes',
        names: names === 'yes',
        internet: internet === 'yes',
      };
      return [who, reach] as const;
    });
    // The pod of `helm test` is there where a Secret holds its key, and its policy with it.
    const tested = ofKind(manifests, 'Pod').length > 0;
    expect(reachOf(manifests)).toEqual(Object.fromEntries(table.filter(([who]) => tested || who !== 'test')));
  });

  it('let a service be reached by those that its controllers let in', () => {
    const reach = reachOf(everything);
    for (const service of contexts) {
      const callers = contexts.filter((caller) => reach[caller]?.services.includes(service));
      expect({ service, callers: callers.toSorted() }).toEqual({ service, callers: allowedCallers(service) });
    }
  });

  it('are about every pod, and close the private ranges to those that reach the internet', () => {
    for (const policy of ofKind(everything, 'NetworkPolicy')) {
      expect(at(policy, 'spec.policyTypes')).toEqual(['Ingress', 'Egress']);
      for (const to of listAt(policy, 'spec.egress').flatMap((rule) => listAt(rule, 'to'))) {
        if (textAt(to, 'ipBlock.cidr') === '0.0.0.0/0') {
          const closed = [
            '10.0.0.0/8',
            '100.64.0.0/10',
            '127.0.0.0/8',
            '169.254.0.0/16',
            '172.16.0.0/12',
            '192.168.0.0/16',
          ];
          expect(listAt(to, 'ipBlock.except')).toEqual(expect.arrayContaining(closed));
        }
        if (textAt(to, 'ipBlock.cidr') === '::/0') {
          expect(listAt(to, 'ipBlock.except')).toEqual(expect.arrayContaining(['::1/128', 'fc00::/7', 'fe80::/10']));
        }
      }
    }
  });

  it('let everybody or only named callers to the gateway, and metrics to Prometheus alone', () => {
    const ingressOf = (manifests: readonly Manifest[], port: number): unknown[] =>
      ofKind(manifests, 'NetworkPolicy')
        .filter((policy) => textAt(policy, 'metadata.name') === 'one-capability-router-gateway')
        .flatMap((policy) => listAt(policy, 'spec.ingress'))
        .filter((rule) => at(listAt(rule, 'ports')[0], 'port') === port)
        .map((rule) => at(rule, 'from'));
    expect(ingressOf(minimal, 8080)).toEqual([undefined]);
    expect(JSON.stringify(ingressOf(everything, 8080))).toContain('ingress-nginx');
    expect(ingressOf(minimal, 9090)).toEqual([
      [{ namespaceSelector: {}, podSelector: { matchLabels: { 'app.kubernetes.io/name': 'prometheus' } } }],
    ]);
  });
});

describe('what surrounds the services of the chart', () => {
  it('is asked for', () => {
    const kinds = new Set(minimal.map((one) => textAt(one, 'kind')));
    for (const kind of ['Ingress', 'HTTPRoute', 'ServiceMonitor', 'PrometheusRule', 'ScaledObject', 'Pod']) {
      expect([...kinds]).not.toContain(kind);
    }
  });

  it('leads the host of publicUrl to the gateway, by Ingress and by HTTPRoute', () => {
    const [ingress] = ofKind(everything, 'Ingress');
    expect(at(ingress, 'spec.rules.0.host')).toBe('tools.example.com');
    expect(at(ingress, 'spec.tls.0')).toEqual({ hosts: ['tools.example.com'], secretName: 'tools-tls' });
    const backend = { name: 'one-capability-router-gateway', port: { name: 'http' } };
    expect(at(ingress, 'spec.rules.0.http.paths.0.backend.service')).toEqual(backend);
    const [route] = ofKind(everything, 'HTTPRoute');
    expect(at(route, 'spec.hostnames')).toEqual(['tools.example.com']);
    expect(at(route, 'spec.rules.0.backendRefs')).toEqual([{ name: 'one-capability-router-gateway', port: 8080 }]);
  });

  it('reads the metrics of every pod of the release', () => {
    const [monitor] = ofKind(everything, 'ServiceMonitor');
    const wanted = recordAt(monitor, 'spec.selector.matchLabels');
    const services = ofKind(everything, 'Service').filter((service) => {
      const labels = recordAt(service, 'metadata.labels');
      return Object.entries(wanted).every(([key, value]) => labels[key] === value);
    });
    expect(services.map((service) => at(service, 'spec.ports.0.name'))).toEqual([at(monitor, 'spec.endpoints.0.port')]);
    const labels = listAt(monitor, 'spec.endpoints.0.relabelings').map((one) => textAt(one, 'targetLabel'));
    expect(labels).toEqual(['component', 'release']);
  });

  it('warns of what docs/metrics.md warns of, and says how urgent it is', () => {
    const metrics = readFileSync(join(workspaceRoot, 'docs/metrics.md'), 'utf8');
    const documented = [...metrics.matchAll(/```yaml\n([\s\S]*?)```/g)]
      .map(([, block = '']) => parse(block) as unknown)
      .flatMap((block) => (Array.isArray(block) ? (block as unknown[]) : listAt(block, 'groups.0.rules')));
    expect(documented.length).toBeGreaterThan(5);
    const [rules] = ofKind(everything, 'PrometheusRule');
    const rendered = listAt(rules, 'spec.groups.0.rules');
    const core = (rule: unknown): unknown => ['alert', 'expr', 'for'].map((key) => at(rule, key));
    expect(rendered.map(core)).toEqual(documented.map(core));
    for (const rule of rendered) {
      expect(textAt(rule, 'labels.severity')).toMatch(/^(critical|warning)$/);
      const path = textAt(rule, 'annotations.runbook_url').replace('https://git.example.com/capability-router/', '');
      const runbook = readFileSync(join(workspaceRoot, path), 'utf8');
      expect(runbook).toContain(`\`${textAt(rule, 'alert')}\``);
      for (const part of ['Symptom', 'Money', 'Do', 'Over']) expect(runbook).toContain(`**${part}`);
    }
  });

  it('gives Grafana each dashboard as it is in its file, with the labels by which it is found', () => {
    const boards = ofKind(everything, 'ConfigMap').filter((map) =>
      textAt(map, 'metadata.name').includes('-dashboard-'),
    );
    const folder = join(workspaceRoot, 'deploy/helm/capability-router/files/dashboards');
    const files = readdirSync(folder);
    expect(files.length).toBeGreaterThan(3);
    const given = boards.flatMap((map) => Object.entries(recordAt(map, 'data')));
    expect(Object.fromEntries(given.map(([name, text]) => [name, JSON.parse(String(text)) as unknown]))).toEqual(
      Object.fromEntries(
        files.map((file) => [
          `capability-router-${file}`,
          JSON.parse(readFileSync(join(folder, file), 'utf8')) as unknown,
        ]),
      ),
    );
    for (const board of boards) {
      expect(recordAt(board, 'metadata.labels')['grafana_dashboard']).toBe('1');
      expect(recordAt(board, 'metadata.annotations')).toEqual({ grafana_folder: 'Tools' });
    }
    expect(ofKind(minimal, 'ConfigMap').filter((map) => textAt(map, 'metadata.name').includes('dashboard'))).toEqual(
      [],
    );
  });

  it('scales by the events that wait, in place of the processor alone', () => {
    const set = [
      'keda.enabled=true',
      'keda.prometheusUrl=http://prometheus:9090',
      'services.billing.autoscaling.enabled=true',
    ];
    const scaled = renderChart({ release: 'one', values: 'minimal.yaml', set });
    expect(ofKind(scaled, 'HorizontalPodAutoscaler')).toEqual([]);
    const [billing] = ofKind(scaled, 'ScaledObject');
    expect(listAt(billing, 'spec.triggers').map((trigger) => at(trigger, 'type'))).toEqual(['cpu', 'prometheus']);
    const query = textAt(billing, 'spec.triggers.1.metadata.query');
    expect(query).toContain('group=~"billing[.].*"');
    // Not those of another release of the namespace; those of no release are of a scrape that sets no such label.
    expect(query).toContain('release=~"one|"');
  });

  it('makes a call with a key from a Secret, and finds its charge', () => {
    const [pod] = ofKind(everything, 'Pod');
    expect(recordAt(pod, 'metadata.annotations')['helm.sh/hook']).toBe('test');
    expect(at(pod, 'spec.containers.0.args')).toEqual(['caprouter', 'init']);
    expect(at(pod, 'spec.containers.0.env')).toEqual([
      { name: 'CAPROUTER_GATEWAY_URL', value: 'http://one-capability-router-gateway:8080' },
      { name: 'CAPROUTER_API_KEY', valueFrom: { secretKeyRef: { name: 'test-key', key: 'API_KEY' } } },
    ]);
    expect(reachOf(everything)['test']?.services).toEqual(['gateway']);
  });

  it.each([
    ['httpRoute.enabled=true', 'httpRoute.parentRefs is required'],
    ['network.callers[0].podSelectr=x', "additional properties 'podSelectr' not allowed"],
    ['ingress.host=x', "additional properties 'host' not allowed"],
  ])('refuses %s', (set, complaint) => {
    expect(() => renderChart({ release: 'one', values: 'minimal.yaml', set: [set] })).toThrow(complaint);
  });
});
