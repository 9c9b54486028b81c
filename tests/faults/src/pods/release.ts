import { execFile, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ofKind, podsOf, renderChart, type Manifest, type StackState } from '@capability-router/tools-stack';
import { parseAllDocuments } from 'yaml';
import { Cluster, type Images } from './cluster.js';
import { Deployment } from './deployment.js';
import { ownSecrets, redisPasswordFile, secretsOf } from './secrets.js';

/** So that the Secrets that `generate-secrets` prints have the names that the chart looks for. */
const RELEASE = 'capability-router';
const TEST_SECRET = 'test';
const MANY = '1000000';
const classes = ['CALL', 'DISCOVER', 'INSPECT', 'READ'];

/** The values of `ci/minimal.yaml`, and what this machine makes necessary. */
const valuesOf = (stack: StackState): object => ({
  kafka: { brokers: stack.kafkaBrokers.join(','), topicReplicationFactor: 1 },
  // There is no S3 here.
  results: { store: 'volume' },
  config: { REDIS_PASSWORD_FILE: redisPasswordFile },
  services: {
    // One account calls more often here than one may.
    gateway: { config: Object.fromEntries(classes.map((one) => [`RATE_LIMIT_${one}`, MANY])) },
    // Calls are counted here: tools are verified where somebody asks for it. Searches are charged, so that the books tell of each.
    registry: { config: { VERIFICATION_INTERVAL_HOURS: '0', SEARCH_PRICE_CREDITS: '0.25' } },
  },
  test: { apiKeySecret: TEST_SECRET },
});

/** The release of the chart on a stack, with what a cluster does for its pods. */
export class Release {
  private deployments: readonly Deployment[] = [];

  private constructor(
    private readonly folder: string,
    private readonly cluster: Cluster,
  ) {}

  /** Renders the chart and has the image of operators generate the Secrets, as the guide says. Nothing runs yet. */
  static async render(stack: StackState, images: Images): Promise<Release> {
    const rendered = renderChart({ release: RELEASE, values: 'minimal.yaml', over: valuesOf(stack) });
    const operator = ['docker/entrypoint.mjs', 'generate-secrets', 'kubernetes'];
    const { stdout } = await promisify(execFile)(process.execPath, operator, { cwd: images('operator'), env: {} });
    const generated = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
    const folder = await mkdtemp(join(tmpdir(), 'pods-'));
    const manifests = [...rendered, ...generated.map(secretsOf(stack)), ...ownSecrets(stack)];
    return new Release(folder, await Cluster.open(folder, manifests, images));
  }

  /** The origin at which callers reach the gateway. */
  get origin(): string {
    return this.cluster.originOf(`${RELEASE}-gateway`);
  }

  /** Faults of pods, which should not have happened. */
  get broken(): readonly string[] {
    return this.deployments.flatMap(({ broken }) => broken);
  }

  /** The Job that makes topics and schemas. Throws where it fails. */
  prepare(): Promise<void> {
    return this.succeeds('prepare');
  }

  /** The pod of `helm test`, with this key. Throws where it fails. */
  test(apiKey: string): Promise<void> {
    const secret = { kind: 'Secret', metadata: { name: TEST_SECRET }, stringData: { API_KEY: apiKey } };
    this.cluster.manifests = [...this.cluster.manifests, secret];
    return this.succeeds('test');
  }

  /** The output of `kubectl exec` in a pod of this service, of the program of its image that is named. */
  async execute(service: string, args: readonly string[]): Promise<string> {
    const name = `exec-${service}`;
    const child = this.cluster.run(name, this.cluster.nextAddress(), this.podOf(service), args);
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
    await this.exited(name, child);
    return output;
  }

  /** Starts every Deployment. Resolves when all pods are ready. */
  async start(): Promise<void> {
    const manifests = ofKind(this.cluster.manifests, 'Deployment');
    this.deployments = manifests.map((manifest) => new Deployment(manifest, this.cluster));
    await Promise.all(this.deployments.map((deployment) => deployment.start()));
  }

  /** Replaces the pods of one Deployment after the other. Resolves when the last of the old ones has ended. */
  async roll(): Promise<void> {
    for (const deployment of this.deployments) await deployment.roll();
    await Promise.all(this.deployments.map((deployment) => deployment.ended()));
  }

  /** SIGKILL, whatever they do. */
  async stop(): Promise<void> {
    await this.cluster.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async succeeds(name: string): Promise<void> {
    await this.exited(name, this.cluster.run(name, this.cluster.nextAddress(), this.podOf(name)));
  }

  private podOf(name: string): Manifest | undefined {
    return podsOf(this.cluster.manifests).get(`${RELEASE}-${name}`);
  }

  private async exited(name: string, child: ChildProcess): Promise<void> {
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`${name} ended with ${String(code)}:\n${this.cluster.logOf(name)}`);
  }
}
