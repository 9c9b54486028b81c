import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textAt } from '@capability-router/tools-stack';
import { noLimits, ofRegistry } from '../pods/objects.js';
import { guide } from './guide.js';
import { REPOSITORY } from './images.js';
import type { OneNode } from './one-node.js';
import { untilNamed, untilRolledOut } from './pods.js';
import { BUCKET, type Stores } from './stores.js';

/** Two processors carry all pods, and some more while they are replaced: their shares are smaller than those that the chart asks for. */
const SHARE = '90m';
const INSTALL_TIMEOUT_MS = 1_300_000;
/** Tags of images: those of the first release, and of one that is the same. */
export const [RELEASE, NEXT] = ['0.1.0', '0.1.1'] as const;
const services = ['gateway', 'registry', 'execution', 'capability-routing', 'billing', 'identity'];
const own: Readonly<Record<string, object>> = { gateway: noLimits, registry: ofRegistry };

/** The release of the guide, with the file of values that it has somebody write. */
export class Installation {
  readonly file: string;
  private readonly values: Readonly<Record<string, unknown>>;
  private tag: string = RELEASE;
  private address = '';

  constructor(
    private readonly node: OneNode,
    { seenByPods, s3 }: Stores,
  ) {
    this.file = join(node.space.folder, 'yours.yaml');
    const bucket = [{ ipBlock: { cidr: `${node.space.network.host}/32` } }];
    this.values = {
      publicUrl: 'https://tools.your.domain',
      kafka: { brokers: seenByPods.kafkaBrokers.join(','), topicReplicationFactor: 1 },
      results: { s3: { bucket: BUCKET, region: 'eu-central-1', endpoint: s3.endpoint, pathStyle: true } },
      // The bucket is inside the company.
      network: { extraEgress: [{ to: bucket, ports: [{ port: s3.port, protocol: 'TCP' }] }] },
      services: Object.fromEntries(
        services.map((name) => [name, { config: own[name] ?? {}, resources: { requests: { cpu: SHARE } } }]),
      ),
      test: { apiKeySecret: 'capability-router-test' },
    };
  }

  /** Where callers reach the gateway, which has an address of its own. */
  get origin(): string {
    return `http://${this.address}:8080`;
  }

  /** The check of step 5: what Helm makes of the values without a cluster. */
  render(): Promise<string> {
    this.write();
    return this.node.commands.run(guide.command('helm template', { 'yours.yaml': this.file }));
  }

  /** Step 7, which installs and upgrades; `more`: arguments of Helm. Resolves when every Deployment has what was said. */
  async apply(...more: readonly string[]): Promise<void> {
    const { commands } = this.node;
    this.write();
    const command = guide.command('helm upgrade --install', { 'yours.yaml': this.file });
    await commands.run([...command, ...more], { timeoutMs: INSTALL_TIMEOUT_MS });
    this.address = textAt(await commands.object('service/capability-router-gateway'), 'spec.clusterIP');
    await untilRolledOut(commands);
    await untilNamed(commands, services);
  }

  /** Step 7 with the images of the next release. */
  async upgrade(): Promise<void> {
    this.tag = NEXT;
    await this.apply();
  }

  /** Step 8, of the program of the image that is named. */
  execute(service: string, args: readonly string[]): Promise<string> {
    const put = { 'deploy/capability-router-identity': `deploy/capability-router-${service}` };
    const command = guide.command('kubectl -n tools exec deploy/capability-router-identity', put);
    return this.node.commands.run([...command.slice(0, -1), ...args]);
  }

  private write(): void {
    writeFileSync(this.file, JSON.stringify({ ...this.values, image: { repository: REPOSITORY, tag: this.tag } }));
  }
}
