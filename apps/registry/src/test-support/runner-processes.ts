import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Ids of the processes that this one has started to run a module of tasks. Linux only. */
export function runnerProcesses(tasks: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => !Number.isNaN(pid) && parentOf(pid) === process.pid && read(pid, 'cmdline').includes(tasks));
}

/** Waits until one of them is at work, and makes it abort, as V8 does where it cannot go on. */
export async function abortAtWork(tasks: string): Promise<void> {
  const before = new Map<number, number>();
  for (;;) {
    for (const pid of runnerProcesses(tasks)) {
      const ticks = ticksOf(pid);
      if (!before.has(pid)) before.set(pid, ticks);
      // More than loading the module takes.
      if (ticks - (before.get(pid) ?? 0) < BUSY_TICKS) continue;
      process.kill(pid, 'SIGABRT');
      return;
    }
    await sleep(5);
  }
}

/** Hundredths of a second of processor. */
const BUSY_TICKS = 20;

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
