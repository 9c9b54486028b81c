import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process that can be told from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

const pollMs = 25;

export function identify(pid: number): ProcessIdentity {
  return { pid, startedAt: startOf(pid) };
}

/** True when the very process that was identified still runs. */
export function stillRuns(process: ProcessIdentity): boolean {
  return process.startedAt !== '' && startOf(process.pid) === process.startedAt;
}

/** Sends each signal in turn and waits for the end. Does nothing to a process that is not the identified one. */
export async function endProcess(
  identity: ProcessIdentity,
  signals: readonly { readonly signal: NodeJS.Signals; readonly waitMs: number }[],
): Promise<void> {
  for (const { signal, waitMs } of signals) {
    if (!stillRuns(identity)) return;
    process.kill(identity.pid, signal);
    for (let waited = 0; waited < waitMs && stillRuns(identity); waited += pollMs) await sleep(pollMs);
  }
  if (stillRuns(identity)) throw new Error(`Process ${identity.pid} does not end`);
}

/** True for a process that SIGSTOP holds. */
export function isHeld(identity: ProcessIdentity): boolean {
  if (!stillRuns(identity)) return false;
  const state =
    process.platform === 'linux'
      ? statOf(identity.pid)[0]
      : execFileSync('ps', ['-o', 'state=', '-p', String(identity.pid)], { encoding: 'utf8' }).trim();
  return state?.startsWith('T') === true;
}

/** The processes whose parent it is. */
export function childrenOf(identity: ProcessIdentity): ProcessIdentity[] {
  if (!stillRuns(identity)) return [];
  return allProcesses()
    .filter(({ parent }) => parent === identity.pid)
    .map(({ pid }) => identify(pid));
}

function allProcesses(): { pid: number; parent: number }[] {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
    return lines.map((line) => {
      const [pid, parent] = line.trim().split(/\s+/).map(Number);
      return { pid: pid ?? 0, parent: parent ?? 0 };
    });
  }
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.flatMap((pid) => {
    try {
      return [{ pid, parent: Number(statOf(pid)[1]) }];
    } catch {
      return []; // It has ended since the folder was listed.
    }
  });
}

/** The fields of /proc/<pid>/stat from the third on: state, parent, … Field 2 is the name in brackets and may hold spaces. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Empty for a process that has ended, a zombie included. */
function startOf(pid: number): string {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    }
    // The start in clock ticks since boot is field 22.
    const fields = statOf(pid);
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return fields[0] === 'Z' ? '' : `${bootId}/${fields[19] ?? ''}`;
  } catch {
    return '';
  }
}
