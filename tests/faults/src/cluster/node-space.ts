import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pause } from '../load.js';
import { output } from './programs.js';

const CGROUPS = '/sys/fs/cgroup';
/** Controllers of cgroup v1 that the kubelet and runc use. */
const controllers = ['blkio', 'cpu', 'cpuacct', 'cpuset', 'devices', 'freezer', 'memory', 'pids', 'systemd'];
/** The kubelet asks these of the machine. It finds them in files of its own, and changes nothing outside. */
const tunables = {
  'kernel/keys/root_maxbytes': 25_000_000,
  'kernel/keys/root_maxkeys': 1_000_000,
  'kernel/panic': 10,
  'kernel/panic_on_oops': 1,
  'vm/overcommit_memory': 1,
  'vm/panic_on_oom': 0,
};
const ENDED_ATTEMPTS = 200;
const ENDED_PAUSE_MS = 50;

/** Addresses, apart from those of another run on this machine. */
export interface Network {
  readonly host: string;
  readonly node: string;
  /** An address of the host, too, that is none of a private range. */
  readonly internet: string;
  /** Addresses of Services, with two of them that every cluster has. */
  readonly services: { readonly range: string; readonly kubernetes: string; readonly dns: string };
  readonly pods: string;
}

/**
 * The node: namespaces of its own for processes, network and mounts, with one cable to the host, and cgroups below one name.
 * Every process in it ends with its first one, and that ends with whoever opened it. Rules of iptables, devices and mounts end with the namespaces.
 */
export class NodeSpace {
  readonly network: Network;
  readonly cgroup: string;
  private readonly cable: string;

  private constructor(
    /** A folder for what the node has on disk. */
    readonly folder: string,
    private readonly outside: ChildProcess,
    private readonly init: number,
  ) {
    const number = 64 + (process.pid % 128);
    this.cgroup = `/capability-router-${process.pid}`;
    this.cable = `crnode${process.pid}`.slice(0, 15);
    this.network = {
      host: `10.${number}.0.1`,
      node: `10.${number}.0.2`,
      internet: `203.0.113.${number}`,
      services: { range: `10.${number}.64.0/18`, kubernetes: `10.${number}.64.1`, dns: `10.${number}.64.10` },
      pods: `10.${number}.128.0/24`,
    };
  }

  static async open(folder: string): Promise<NodeSpace> {
    mkdirSync(join(folder, 'logs'), { recursive: true });
    const unshare = 'unshare --fork --kill-child=KILL --pid --mount-proc --net --mount --uts --ipc'.split(' ');
    const outside = spawn('setpriv', ['--pdeathsig', 'KILL', ...unshare, 'sleep', 'infinity'], { stdio: 'ignore' });
    const init = await childOf(outside);
    const space = new NodeSpace(folder, outside, init);
    try {
      space.makeCgroups();
      await space.connect();
      await space.furnish();
      return space;
    } catch (error) {
      await space.close();
      throw error;
    }
  }

  /** Starts a program of the node, with its output in a file. */
  start(name: string, program: string, args: readonly string[]): void {
    const log = openSync(this.logFile(name), 'a');
    const child = spawn('nsenter', [...this.entered, program, ...args], { stdio: ['ignore', log, log] });
    child.on('error', () => undefined);
    closeSync(log);
  }

  /** The last lines of a program of the node. */
  logOf(name: string): string {
    return readFileSync(this.logFile(name), 'utf8').trimEnd().split('\n').slice(-10).join('\n');
  }

  /** The output of a program that runs in the node. */
  async inside(program: string, args: readonly string[], timeoutMs = 60_000): Promise<string> {
    return (await output('nsenter', [...this.entered, program, ...args], { timeoutMs })).stdout;
  }

  /** Ends all that runs in the node, and removes what it has left on the machine. */
  async close(): Promise<void> {
    const ended =
      this.outside.exitCode === null && this.outside.signalCode === null ? once(this.outside, 'exit') : null;
    try {
      process.kill(this.init, 'SIGKILL');
    } catch {
      this.outside.kill('SIGKILL');
    }
    await ended;
    // Beside them runc makes one in the hierarchy of version 2, where a machine has both.
    for (const hierarchy of [...controllers, 'unified']) await removeCgroup(join(CGROUPS, hierarchy, this.cgroup));
  }

  private get entered(): string[] {
    return ['--target', String(this.init), '--mount', '--uts', '--ipc', '--net', '--pid'];
  }

  private logFile(name: string): string {
    return join(this.folder, 'logs', `${name}.log`);
  }

  private makeCgroups(): void {
    for (const controller of controllers) mkdirSync(join(CGROUPS, controller, this.cgroup));
    // A cgroup has no processors and no memory until it is given some.
    for (const file of ['cpuset.cpus', 'cpuset.mems'])
      writeFileSync(join(CGROUPS, 'cpuset', this.cgroup, file), readFileSync(join(CGROUPS, 'cpuset', file)));
  }

  private async connect(): Promise<void> {
    const { cable, network } = this;
    const ip = (text: string): Promise<unknown> => output('ip', text.split(' '));
    await ip(`link add ${cable} type veth peer name eth0 netns ${this.init}`);
    await ip(`address add ${network.host}/30 dev ${cable}`);
    await ip(`address add ${network.internet}/32 dev ${cable}`);
    await ip(`link set ${cable} up`);
    // Addresses of Services are reached from outside by way of the node, as through a door.
    await ip(`route add ${network.services.range} via ${network.node}`);
    for (const text of [
      'link set lo up',
      `address add ${network.node}/30 dev eth0`,
      'link set eth0 up',
      `route add default via ${network.host}`,
    ])
      await this.inside('ip', text.split(' '));
  }

  private async furnish(): Promise<void> {
    const files = Object.entries(tunables).map(([name, value]) => {
      const file = join(this.folder, `tunable-${name.replaceAll('/', '-')}`);
      writeFileSync(file, `${value}\n`);
      return `mount --bind '${file}' /proc/sys/${name}`;
    });
    const script = [
      'hostname node',
      'echo 1 >/proc/sys/net/ipv4/ip_forward',
      // Sockets, locks and state of containers are no concern of the machine.
      'mount -t tmpfs run /run',
      ...files,
    ];
    await this.inside('sh', ['-euc', script.join('\n')]);
  }
}

async function childOf(parent: ChildProcess): Promise<number> {
  for (let attempt = 0; attempt < ENDED_ATTEMPTS; attempt += 1) {
    if (parent.exitCode !== null) break;
    const file = `/proc/${parent.pid}/task/${parent.pid}/children`;
    const [child] = existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ') : [];
    if (child !== undefined && child !== '' && readFileSync(`/proc/${child}/comm`, 'utf8') === 'sleep\n')
      return Number(child);
    await pause(ENDED_PAUSE_MS);
  }
  throw new Error('no namespaces can be made here: it takes Linux with cgroup v1, and root');
}

/** The kernel lets go of processes that were killed a moment later. */
async function removeCgroup(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await removeCgroup(join(folder, entry.name));
  for (let attempt = 0; ; attempt += 1) {
    try {
      rmdirSync(folder);
      return;
    } catch (error) {
      if (attempt === ENDED_ATTEMPTS) throw error;
      await pause(ENDED_PAUSE_MS);
    }
  }
}
