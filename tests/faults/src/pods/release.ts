import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ofKind, podsOf, textAt, type Manifest } from '@capability-router/tools-stack';
import { Cluster, type Images } from './cluster.js';
import { Deployment } from './deployment.js';
import { TEST_SECRET } from './objects.js';

/** The objects of one release in a cluster, with what the cluster does for its pods. */
export class Release {
  private deployments: readonly Deployment[] = [];

  private constructor(
    private readonly folder: string,
    private readonly cluster: Cluster,
    /** The prefix of the names of its objects. */
    private readonly prefix: string,
  ) {}

  /** Its Services are there, and no pod yet. */
  static async of(prefix: string, manifests: readonly Manifest[], images: Images): Promise<Release> {
    const folder = await mkdtemp(join(tmpdir(), 'pods-'));
    return new Release(folder, await Cluster.open(folder, manifests, images), prefix);
  }

  /** The origin at which callers reach the gateway. */
  get origin(): string {
    return this.cluster.originOf(`${this.prefix}gateway`);
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
    await this.ended();
  }

  /** Objects of the next release, which Job and pods have from now on. Services stay. */
  apply(manifests: readonly Manifest[], images: Images): void {
    this.cluster.manifests = manifests;
    this.cluster.images = images;
  }

  /** Replaces the pods of the services that are named first, and then those of all others side by side. */
  async upgrade(first: readonly string[]): Promise<void> {
    const isFirst = ({ name }: Deployment): boolean => first.includes(name.slice(this.prefix.length));
    const replace = (deployment: Deployment): Promise<void> => {
      const manifests = ofKind(this.cluster.manifests, 'Deployment');
      return deployment.roll(manifests.find((one) => textAt(one, 'metadata.name') === deployment.name));
    };
    for (const deployment of this.deployments.filter(isFirst)) await replace(deployment);
    await Promise.all(this.deployments.filter((one) => !isFirst(one)).map(replace));
    await this.ended();
  }

  /** SIGKILL, whatever they do. */
  async stop(): Promise<void> {
    await this.cluster.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async ended(): Promise<void> {
    await Promise.all(this.deployments.map((deployment) => deployment.ended()));
  }

  private async succeeds(name: string): Promise<void> {
    await this.exited(name, this.cluster.run(name, this.cluster.nextAddress(), this.podOf(name)));
  }

  private podOf(name: string): Manifest | undefined {
    return podsOf(this.cluster.manifests).get(`${this.prefix}${name}`);
  }

  private async exited(name: string, child: ChildProcess): Promise<void> {
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`${name} ended with ${String(code)}:\n${this.cluster.logOf(name)}`);
  }
}
