import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { findProgram, OperatorError } from '../system/programs.js';
import { workspaceRoot } from '../workspace.js';

export type Manifest = Readonly<Record<string, unknown>>;

/** Every object that kustomize makes of a folder below the top of the repository. */
export function renderKustomization(folder: string): Manifest[] {
  const [program, ...args] = findKustomize();
  const result = spawnSync(program, [...args, join(workspaceRoot, folder)], { encoding: 'utf8' });
  if (result.status !== 0) throw new OperatorError(`${folder} does not render:\n${result.stderr}`);
  return parseAllDocuments(result.stdout).map((document) => document.toJS() as Manifest);
}

/** The command that renders a folder: of kustomize itself, or the copy of it that kubectl carries. */
function findKustomize(): readonly [string, ...string[]] {
  const kustomize = findProgram('kustomize');
  if (kustomize !== undefined) return [kustomize, 'build'];
  const kubectl = findProgram('kubectl');
  if (kubectl !== undefined) return [kubectl, 'kustomize'];
  throw new OperatorError(
    'Neither kustomize nor kubectl is installed; one of them renders the manifests. ' +
      'Run: go install sigs.k8s.io/kustomize/kustomize/v5@v5.7.1',
  );
}

/** The value at a path such as `spec.template.spec.containers.0.image`; undefined where there is none. */
export function at(value: unknown, path: string): unknown {
  let current = value;
  for (const key of path.split('.')) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Readonly<Record<string, unknown>>)[key];
  }
  return current;
}

export function listAt(value: unknown, path: string): readonly unknown[] {
  const found = at(value, path);
  return Array.isArray(found) ? found : [];
}

export function textAt(value: unknown, path: string): string {
  const found = at(value, path);
  return typeof found === 'string' ? found : '';
}

export function recordAt(value: unknown, path: string): Readonly<Record<string, unknown>> {
  const found = at(value, path);
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {};
}

export function nameOf(manifest: Manifest): string {
  return `${textAt(manifest, 'kind')}/${textAt(manifest, 'metadata.name')}`;
}

export function ofKind(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((manifest) => manifest['kind'] === kind);
}
