import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process that can be told from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it began, in the platform's own words; undefined where the platform does not tell. */
  readonly startedAt: string | undefined;
}

const canTellStart = process.platform !== 'win32';

export function identify(pid: number): ProcessIdentity {
  return { pid, startedAt: startOf(pid) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** True when the very process that was identified still runs. A zombie does not run. */
export function stillRuns(process: ProcessIdentity): boolean {
  if (!isAlive(process.pid)) return false;
  return canTellStart ? process.startedAt !== undefined && startOf(process.pid) === process.startedAt : true;
}

function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      // Field 2 is the name in brackets and may hold spaces; the start in clock ticks since boot is field 22.
      const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      return fields[0] === 'Z' ? undefined : `${bootId}/${fields[19] ?? ''}`;
    } catch {
      return undefined;
    }
  }
  if (!canTellStart) return undefined;
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}
