import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

/** Prints name and niceness of each of its threads, once the helper threads have been lowered. */
const program = `
  const { readdirSync, readFileSync } = await import('node:fs');
  const { getPriority } = await import('node:os');
  const { lowerHelperThreads } = await import(process.argv[1]);
  lowerHelperThreads();
  const threads = (process.platform === 'linux' ? readdirSync('/proc/self/task') : []).map((thread) => ({
    name: readFileSync('/proc/self/task/' + thread + '/comm', 'utf8').trim(),
    niceness: getPriority(Number(thread)),
  }));
  console.log(JSON.stringify(threads));
`;

interface Thread {
  readonly name: string;
  readonly niceness: number;
}

async function threads(): Promise<Thread[]> {
  const file = new URL('helper-threads.js', import.meta.url).href;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, file]);
  return JSON.parse(stdout) as Thread[];
}

/** Node 20 names no threads, and other systems have no priorities of threads. */
const namesHelpers = process.platform === 'linux' && Number(process.versions.node.split('.')[0]) >= 24;

describe('the helper threads of V8', () => {
  it('are less urgent than all other threads, which stay as they were', async () => {
    const all = await threads();
    const helpers = all.filter(({ name }) => name === 'V8Worker');
    const others = new Set(all.filter(({ name }) => name !== 'V8Worker').map(({ niceness }) => niceness));
    expect(helpers.length > 0).toBe(namesHelpers);
    expect([...others]).toHaveLength(1);
    for (const { niceness } of helpers) expect(niceness).toBeGreaterThan(Math.max(...others));
  });
});
