import { readFileSync } from 'node:fs';

/** Reads what Linux tells of another process. Elsewhere, and of a process that is gone, it is undefined. */

/** Bytes; the same on every machine that Node is built for but some with large pages, where less is seen than there is. */
const PAGE_BYTES = 4_096;
/** Linux reports CPU time in ticks of 1/100 s, whatever the kernel's own tick is. */
const US_PER_TICK = 10_000;

/** Bytes of resident memory. */
export function residentBytesOf(pid: number): number | undefined {
  const pages = Number(read(`/proc/${pid}/statm`)?.split(' ')[1]);
  return Number.isNaN(pages) ? undefined : pages * PAGE_BYTES;
}

/** Microseconds of CPU that a process has used. */
export function cpuUsOf(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The name, in brackets, may hold anything; the fields that matter come after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * US_PER_TICK;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
