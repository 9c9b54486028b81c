import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { childrenOf, endProcess, identify, isHeld, stillRuns } from './process-identity.js';

const sleepers = new Set<ReturnType<typeof spawn>>();
afterEach(() => {
  for (const child of sleepers) child.kill('SIGKILL');
  sleepers.clear();
});

async function sleeper(script: string): Promise<{ child: ReturnType<typeof spawn>; pid: number }> {
  const child = spawn(process.execPath, ['-e', `${script}; console.log('up'); setInterval(() => undefined, 1000)`]);
  sleepers.add(child);
  await once(child.stdout, 'data');
  if (child.pid === undefined) throw new Error('no pid');
  return { child, pid: child.pid };
}

const fast = [
  { signal: 'SIGTERM', waitMs: 200 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

describe('a process', () => {
  it('is held from SIGSTOP to SIGCONT, and is a child of the process that started it', async () => {
    const { pid } = await sleeper('');
    const identity = identify(pid);
    expect(isHeld(identity)).toBe(false);
    process.kill(pid, 'SIGSTOP');
    while (!isHeld(identity)) await new Promise((resolve) => setTimeout(resolve, 5));
    process.kill(pid, 'SIGCONT');
    while (isHeld(identity)) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(childrenOf(identify(process.pid))).toContainEqual(identity);
    expect(childrenOf(identity)).toEqual([]);
  });
});

describe('endProcess', () => {
  it('leaves a process alone that was only given the number of the recorded one', async () => {
    const { pid } = await sleeper('');
    await endProcess({ pid, startedAt: 'another boot/1' }, fast);
    expect(stillRuns(identify(pid))).toBe(true);
  });

  it('goes on to the next signal when a process ignores the first', async () => {
    const { child, pid } = await sleeper(`process.on('SIGTERM', () => undefined)`);
    const exited = once(child, 'exit');
    await endProcess(identify(pid), fast);
    expect(await exited).toEqual([null, 'SIGKILL']);
  });

  it('does nothing about a process that has ended', async () => {
    const { child, pid } = await sleeper('');
    const identity = identify(pid);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    expect(stillRuns(identity)).toBe(false);
    await endProcess(identity, fast);
  });
});
