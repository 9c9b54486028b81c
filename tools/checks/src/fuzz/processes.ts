import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds in which a process that was told to end is gone. */
const TIMEOUT_MS = 15_000;
const POLL_MS = 250;

/** Ids of all processes that this one has started, and of those that they have. Of Linux; elsewhere there are none. */
export async function descendants(of: number): Promise<readonly number[]> {
  const parents = new Map<number, number>();
  for (const pid of await processIds()) {
    const parent = await parentOf(pid);
    if (parent !== undefined) parents.set(pid, parent);
  }
  const found = new Set([of]);
  for (let before = 0; before !== found.size;) {
    before = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  found.delete(of);
  return [...found];
}

/** Those of them that do not end. */
export async function stillRunning(pids: readonly number[]): Promise<readonly string[]> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const ids = new Set(await processIds());
    const running = pids.filter((pid) => ids.has(pid));
    if (running.length === 0) return [];
    if (performance.now() > deadline) return Promise.all(running.map(describe));
    await sleep(POLL_MS);
  }
}

async function processIds(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/** Undefined where it has ended meanwhile, or has ended and is not waited for. */
async function parentOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, state, parent] = /^\d+ \(.*\) (\w) (\d+)/s.exec(status) ?? [];
  return parent === undefined || state === 'Z' ? undefined : Number(parent);
}

async function describe(pid: number): Promise<string> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return `${pid} ${command.replaceAll('\0', ' ')}`;
}
