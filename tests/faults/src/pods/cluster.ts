import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, listAt, ofKind, recordAt, selects, textAt, type Manifest } from '@capability-router/tools-stack';
import { containerOf } from './container.js';
import { portOf } from './probe.js';
import { commandIn } from './root-file-system.js';
import { ServiceAddress } from './service-address.js';

/** Milliseconds until a changed Service is known to those who come by its address, as kube-proxy takes at most. */
const NEWS_MS = 1_000;
/** Milliseconds for which the name of a Service may lead where it led before: NodeLocal DNSCache keeps an answer for so long. */
const NAMES_KEPT_MS = 30_000;

/** The folder of an image by its target. */
export type Images = (target: string) => string;

/**
 * A cluster, as far as pods notice it, on one machine. This is the one place where what is in a cluster becomes what is here:
 *
 * - A pod has an address of 127.0.0.0/8. All share one loopback interface, so `HOST` is this address in place of `0.0.0.0`; ports and every
 *   other variable are those of the manifests.
 * - The name of a headless Service is in `/etc/hosts` of every pod, with the addresses of the pods that are ready, and is as old as a
 *   cache of names may be.
 * - Another Service has an address of 127.0.0.0/8, too, at which the test leads connections to ready pods.
 * - PostgreSQL, Kafka and Redis are those of the stack, by their addresses.
 */
export class Cluster {
  private readonly headless = new Map<string, readonly string[]>();
  private readonly services = new Map<string, ServiceAddress>();
  private readonly running = new Set<ChildProcess>();
  private readonly news = new Set<NodeJS.Timeout>();
  private readonly etc: string;
  private given = 0;
  private closed = false;
  /** So that two runs of one machine do not meet. */
  private readonly network = 32 + (process.pid % 200);

  private constructor(
    private readonly folder: string,
    public manifests: readonly Manifest[],
    public images: Images,
  ) {
    this.etc = join(folder, 'etc');
    for (const name of ['root', 'volumes', 'logs', 'etc']) mkdirSync(join(folder, name), { recursive: true });
    // A volume below /etc is mounted over a folder that is there.
    mkdirSync(join(this.etc, 'capability-router/connections'), { recursive: true });
    writeFileSync(join(this.etc, 'nsswitch.conf'), 'hosts: files\n');
    writeFileSync(join(this.etc, 'host.conf'), 'multi on\n');
    this.writeHosts();
  }

  /** With Services that lead nowhere yet. The folder is empty, and readable for everybody. */
  static async open(folder: string, manifests: readonly Manifest[], images: Images): Promise<Cluster> {
    const cluster = new Cluster(folder, manifests, images);
    for (const service of ofKind(manifests, 'Service')) await cluster.serve(service);
    return cluster;
  }

  nextAddress(): string {
    this.given += 1;
    return `127.${this.network}.${Math.floor(this.given / 250)}.${1 + (this.given % 250)}`;
  }

  /** The URL of a Service that has an address of its own. */
  originOf(service: string): string {
    const found = this.services.get(service);
    if (found === undefined) throw new Error(`${service} has no address of its own`);
    return `http://${found.address}:${found.port}`;
  }

  /** The Services that select this pod lead to these addresses. `atOnce`: nobody knows what was before. */
  lead(pod: unknown, addresses: readonly string[], atOnce = false): void {
    for (const service of ofKind(this.manifests, 'Service')) {
      if (!selects(recordAt(service, 'spec.selector'), pod)) continue;
      const name = textAt(service, 'metadata.name');
      const own = this.services.get(name);
      if (own === undefined) {
        this.later(atOnce ? 0 : NAMES_KEPT_MS, () => {
          this.headless.set(name, addresses);
          this.writeHosts();
        });
      } else this.later(atOnce ? 0 : NEWS_MS, () => (own.endpoints = addresses));
    }
  }

  /** Starts what the container of a pod runs, from its image alone. The process has the environment of the container, and no other. */
  run(name: string, address: string, pod: unknown, args?: readonly string[]): ChildProcess {
    const container = containerOf(pod, this.manifests);
    const { folder, etc } = this;
    const places = {
      root: join(folder, 'root'),
      image: this.images(container.image),
      etc,
      volumes: join(folder, 'volumes'),
    };
    const command = args === undefined ? container.command : [...container.command.slice(0, -1), ...args];
    const [program, ...rest] = commandIn(places, name, { ...container, command });
    const log = openSync(this.logFile(name), 'a');
    const env = { ...container.environment, HOSTNAME: name, HOST: address };
    const child = spawn(program, rest, { stdio: ['ignore', args === undefined ? log : 'pipe', log], env });
    closeSync(log);
    this.running.add(child);
    child.once('exit', () => this.running.delete(child));
    return child;
  }

  /** The last lines that a pod has written. */
  logOf(name: string): string {
    return readFileSync(this.logFile(name), 'utf8').trimEnd().split('\n').slice(-10).join('\n');
  }

  /** Ends what is left. */
  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.news) clearTimeout(timer);
    const ends = [...this.running].map((child) => new Promise((resolve) => child.once('exit', resolve)));
    for (const child of this.running) child.kill('SIGKILL');
    await Promise.all([...ends, ...[...this.services.values()].map((service) => service.close())]);
  }

  private async serve(service: Manifest): Promise<void> {
    const name = textAt(service, 'metadata.name');
    if (at(service, 'spec.clusterIP') === 'None') {
      this.headless.set(name, []);
      return;
    }
    const [port] = listAt(service, 'spec.ports');
    const pod = ofKind(this.manifests, 'Deployment')
      .map((one) => recordAt(one, 'spec.template'))
      .find((template) => selects(recordAt(service, 'spec.selector'), template));
    const target = portOf(at(pod, 'spec.containers.0'), at(port, 'targetPort'));
    const address = new ServiceAddress(this.nextAddress(), Number(at(port, 'port')), target);
    await address.listen();
    this.services.set(name, address);
    this.writeHosts();
  }

  private logFile(name: string): string {
    return join(this.folder, 'logs', `${name}.log`);
  }

  private later(ms: number, tell: () => void): void {
    if (this.closed) return;
    const timer = setTimeout(() => {
      this.news.delete(timer);
      tell();
    }, ms);
    this.news.add(timer);
  }

  private writeHosts(): void {
    const names = [...this.headless].flatMap(([name, addresses]) => addresses.map((address) => `${address} ${name}`));
    const own = [...this.services].map(([name, { address }]) => `${address} ${name}`);
    const file = join(this.etc, 'hosts');
    writeFileSync(`${file}.unfinished`, ['127.0.0.1 localhost', ...names, ...own, ''].join('\n'));
    renameSync(`${file}.unfinished`, file);
  }
}
