import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Ids of the processes that this one has started to run a module of tasks. Linux only. */
export function runnerProcesses(tasks: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => !Number.isNaN(pid) && parentOf(pid) === process.pid && read(pid, 'cmdline').includes(tasks));
}

/**
 * Begins something and makes the process abort that is at work on it, as V8 does where it cannot go on. At least one process
 * has to be there, loaded: one that starts works, too, and is not meant.
 */
export async function abortAtWork<T>(tasks: string, begin: () => Promise<T>): Promise<T> {
  const before = await restingProcesses(tasks);
  const begun = begin();
  for (;;) {
    const busy = [...before].find(([pid, ticks]) => ticksOf(pid) - ticks >= BUSY_TICKS);
    if (busy !== undefined) {
      process.kill(busy[0], 'SIGABRT');
      return begun;
    }
    await sleep(5);
  }
}

/** Waits until none of them works any more. */
async function restingProcesses(tasks: string): Promise<ReadonlyMap<number, number>> {
  const look = (): Map<number, number> => new Map(runnerProcesses(tasks).map((pid) => [pid, ticksOf(pid)]));
  for (let before = look(); ;) {
    await sleep(REST_MS);
    const now = look();
    if (now.size > 0 && [...now].every(([pid, ticks]) => before.get(pid) === ticks)) return now;
    before = now;
  }
}

/** Hundredths of a second of processor. */
const BUSY_TICKS = 20;
/** Milliseconds; long enough for a process that starts to get some of a processor. */
const REST_MS = 500;

const fieldsOf = (pid: number): string[] =>
  read(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ');
const parentOf = (pid: number): number => Number(fieldsOf(pid)[1]);
const ticksOf = (pid: number): number => Number(fieldsOf(pid)[11]) + Number(fieldsOf(pid)[12]);

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
