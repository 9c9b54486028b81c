import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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

/** Empty for a process that has ended, a zombie included. */
function startOf(pid: number): string {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    }
    // Field 2 is the name in brackets and may hold spaces; the start in clock ticks since boot is field 22.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return fields[0] === 'Z' ? '' : `${bootId}/${fields[19] ?? ''}`;
  } catch {
    return '';
  }
}
