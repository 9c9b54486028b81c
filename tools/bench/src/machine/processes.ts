import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports CPU time in ticks of 1/100 s, whatever the kernel's own tick is. */
const TICKS_PER_SECOND = 100;
const BYTES_PER_KILOBYTE = 1_024;

interface Stat {
  readonly pid: number;
  readonly parent: number;
  /** Own time and that of children that have ended, seconds. */
  readonly cpuSeconds: number;
}

/** Absent where the process has ended. */
function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in brackets, may hold anything; the fields that matter come after it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].map((index) => Number(fields[index] ?? 0));
    return { pid, parent: Number(fields[1]), cpuSeconds: ticks.reduce((a, b) => a + b, 0) / TICKS_PER_SECOND };
  } catch {
    return undefined;
  }
}

function tree(root: number): Stat[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readStat(Number(name)) ?? []) : []));
  const found: Stat[] = [];
  const add = (pid: number): void => {
    const stat = all.find((candidate) => candidate.pid === pid);
    if (stat !== undefined) found.push(stat);
    for (const child of all) if (child.parent === pid) add(child.pid);
  };
  add(root);
  return found;
}

/** Seconds of CPU of a process and all its descendants since they started; `without` leaves out some of them. */
export function cpuSeconds(root: number, without: readonly number[] = []): number {
  const left = new Set(without.flatMap((pid) => tree(pid).map((stat) => stat.pid)));
  return tree(root).reduce((total, stat) => (left.has(stat.pid) ? total : total + stat.cpuSeconds), 0);
}

export interface Memory {
  /** Bytes; counts pages that several processes share once for each. */
  readonly rss: number;
  /** Bytes; shares such pages out. */
  readonly pss: number;
}

/** Memory of a process and all its descendants; `without` leaves out some of them. */
export function memory(root: number, without: readonly number[] = []): Memory {
  const left = new Set(without.flatMap((pid) => tree(pid).map((stat) => stat.pid)));
  const total = { rss: 0, pss: 0 };
  for (const { pid } of tree(root)) {
    if (left.has(pid)) continue;
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
      const kilobytes = (name: string): number =>
        Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
      total.rss += kilobytes('Rss') * BYTES_PER_KILOBYTE;
      total.pss += kilobytes('Pss') * BYTES_PER_KILOBYTE;
    } catch {
      // Ended meanwhile.
    }
  }
  return total;
}
