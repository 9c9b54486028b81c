import type { CommandLine } from './command-line.js';
import { evaluated } from './pods.js';

export interface Confinement {
  readonly user: number;
  readonly memoryBytes: number;
  /** By the quota that the kernel enforces. */
  readonly processors: number;
  /** Where files can be written: a path, and the refusal where not. */
  readonly written: Readonly<Record<string, string>>;
  readonly capabilities: string;
  readonly gainsPrivileges: boolean;
  readonly systemCallsFiltered: boolean;
  readonly token: boolean;
}

/** A file of cgroup v1 as the container sees it. */
const cgroup = '/sys/fs/cgroup';

/** The limits that the kernel sets to a pod of the service, as a program in its container finds them. */
export function confinementOf(commands: CommandLine, service: string): Promise<Confinement> {
  const script = `
    const { existsSync, readFileSync, writeFileSync } = require('node:fs');
    const number = (file) => Number(readFileSync('${cgroup}/' + file, 'utf8'));
    const status = readFileSync('/proc/self/status', 'utf8');
    const field = (name) => new RegExp('^' + name + ':\\\\s*(\\\\S+)', 'm').exec(status)[1];
    const write = (path) => {
      try { writeFileSync(path, 'x'); return 'written'; } catch (error) { return error.code; }
    };
    console.log(JSON.stringify({
      user: process.getuid(),
      memoryBytes: number('memory/memory.limit_in_bytes'),
      processors: number('cpu/cpu.cfs_quota_us') / number('cpu/cpu.cfs_period_us'),
      written: { '/app/x': write('/app/x'), '/x': write('/x'), '/tmp/x': write('/tmp/x') },
      capabilities: field('CapBnd'),
      gainsPrivileges: field('NoNewPrivs') !== '1',
      systemCallsFiltered: field('Seccomp') === '2',
      token: existsSync('/var/run/secrets/kubernetes.io'),
    }));`;
  return evaluated(commands, service, script);
}
