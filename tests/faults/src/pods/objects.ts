import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import {
  at,
  listAt,
  ofKind,
  recordAt,
  renderChart,
  renderKustomization,
  textAt,
  workspaceRoot,
  type Manifest,
  type StackState,
} from '@capability-router/tools-stack';
import { parseAllDocuments } from 'yaml';
import type { Images } from './cluster.js';
import { redisPasswordFile } from './secrets.js';

/** The prefix of names that the chart gives to objects, so that Secrets have the names that `generate-secrets` prints. */
export const CHART_PREFIX = 'capability-router-';
/** The Secret with the key of `helm test`. */
export const TEST_SECRET = 'test';
const MANY = '1000000';

/** One account calls more often here than one may. */
export const noLimits = Object.fromEntries(
  ['ANONYMOUS', 'CALL', 'DISCOVER', 'INSPECT', 'READ'].map((one) => [`RATE_LIMIT_${one}`, MANY]),
);
/** Calls are counted here: tools are verified where somebody asks for it. Searches are charged, so that the books tell of each. */
export const ofRegistry = { VERIFICATION_INTERVAL_HOURS: '0', SEARCH_PRICE_CREDITS: '0.25' };

/** The objects of the chart, with the values of `ci/minimal.yaml` and what this machine makes necessary. */
export function chartOn(stack: StackState): Manifest[] {
  const over = {
    kafka: { brokers: stack.kafkaBrokers.join(','), topicReplicationFactor: 1 },
    // There is no S3 here.
    results: { store: 'volume' },
    config: { REDIS_PASSWORD_FILE: redisPasswordFile },
    services: { gateway: { config: noLimits }, registry: { config: ofRegistry } },
    test: { apiKeySecret: TEST_SECRET },
  };
  return renderChart({ release: CHART_PREFIX.slice(0, -1), values: 'minimal.yaml', over });
}

/** The objects of a kustomization that is `deploy/base` or a layer over it, as one more layer for this machine would make them. */
export function baseOn(stack: StackState, folder: string): Manifest[] {
  const literals = { KAFKA_BROKERS: stack.kafkaBrokers.join(','), ...noLimits, ...ofRegistry };
  return renderKustomization(relative(workspaceRoot, folder)).map((manifest) => {
    if (manifest['kind'] === 'ConfigMap') return { ...manifest, data: { ...recordAt(manifest, 'data'), ...literals } };
    return manifest['kind'] === 'Job' ? withOneReplica(manifest) : manifest;
  });
}

/** Writes the overlay of the notes of the upgrade into a new folder. */
export function overlayOfNotes(folder: string): string {
  const notes = /^## Upgrading\n[\s\S]*?^```yaml\n([\s\S]*?)^```$/m.exec(
    readFileSync(join(workspaceRoot, 'deploy/README.md'), 'utf8'),
  )?.[1];
  if (notes === undefined) throw new Error('deploy/README.md has no overlay of the upgrade');
  mkdirSync(folder);
  const base = relative(folder, join(workspaceRoot, 'deploy/base'));
  writeFileSync(join(folder, 'kustomization.yaml'), `resources: ['${base}']\n${notes}`);
  return folder;
}

/** There is one broker here. */
function withOneReplica(job: Manifest): Manifest {
  const container = at(job, 'spec.template.spec.containers.0');
  const isFactor = (one: unknown): boolean => textAt(one, 'name') === 'TOPIC_REPLICATION_FACTOR';
  const changed = listAt(container, 'env').map((one) =>
    isFactor(one) ? { name: textAt(one, 'name'), value: '1' } : one,
  );
  const text = JSON.stringify(job).replace(JSON.stringify(at(container, 'env')), JSON.stringify(changed));
  return JSON.parse(text) as Manifest;
}

/** The Secrets that the image of operators prints. */
export async function generatedSecrets(images: Images): Promise<Manifest[]> {
  const program = ['docker/entrypoint.mjs', 'generate-secrets', 'kubernetes'];
  const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: images('operator'), env: {} });
  return ofKind(
    parseAllDocuments(stdout).map((document) => document.toJS() as Manifest),
    'Secret',
  );
}
