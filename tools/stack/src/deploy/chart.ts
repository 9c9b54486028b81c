import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { findProgram, OperatorError } from '../system/programs.js';
import { workspaceRoot } from '../workspace.js';
import { ofKind, recordAt, textAt, type Manifest } from './manifests.js';

const chartFolder = join(workspaceRoot, 'deploy/helm/capability-router');

export interface ChartRendering {
  readonly release: string;
  /** File of values below `ci/` of the chart. */
  readonly values: string;
  /** Single values, such as `results.store=volume`. */
  readonly set?: readonly string[];
  /** Values over all of these. */
  readonly over?: object;
}

/** Every object that Helm would make of the chart, hooks included. Throws an OperatorError that says what Helm said. */
export function renderChart({ release, values, set = [], over = {} }: ChartRendering): Manifest[] {
  const given = set.flatMap((one) => ['--set', one]);
  const files = ['--values', join(chartFolder, 'ci', values), '--values', '-'];
  const text = runHelm(['template', release, chartFolder, ...files, ...given], JSON.stringify(over));
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

/** Throws an OperatorError with the complaints of `helm lint`, warnings too. */
export function lintChart(values: string): void {
  runHelm(['lint', chartFolder, '--strict', '--values', join(chartFolder, 'ci', values)]);
}

/** `input`: what it reads where a file is named `-`. */
function runHelm(args: readonly string[], input = ''): string {
  const helm = findProgram('helm');
  if (helm === undefined) {
    throw new OperatorError(
      'helm is not installed; it renders deploy/helm. https://helm.sh/docs/intro/install says how',
    );
  }
  const result = spawnSync(helm, args, { encoding: 'utf8', input });
  if (result.status !== 0) throw new OperatorError(`helm ${args[0]} fails:\n${result.stderr}${result.stdout}`);
  return result.stdout;
}

/** The same objects with every text that begins with the prefix of a release shortened by it. */
export function withoutPrefix(manifests: readonly Manifest[], prefix: string): Manifest[] {
  const text = JSON.stringify(manifests).replaceAll(`"${prefix}`, '"').replaceAll(`"http://${prefix}`, '"http://');
  return JSON.parse(text) as Manifest[];
}

/** The pods that there are, and that Deployments and Jobs make, by the name of the object. */
export function podsOf(manifests: readonly Manifest[]): Map<string, Manifest> {
  const made = [...ofKind(manifests, 'Deployment'), ...ofKind(manifests, 'Job')];
  return new Map([
    ...made.map((one) => [textAt(one, 'metadata.name'), recordAt(one, 'spec.template')] as const),
    ...ofKind(manifests, 'Pod').map((one) => [textAt(one, 'metadata.name'), one] as const),
  ]);
}
