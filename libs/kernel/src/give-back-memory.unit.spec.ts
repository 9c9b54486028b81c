import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

/** Builds many small objects, drops most of them, and prints the bytes of the heap before and after. */
const program = `
  const { giveBackMemory } = await import(process.argv[1]);
  let kept = Array.from({ length: 600_000 }, (_, i) => ({ text: 'object ' + i, numbers: [i, i + 1] }));
  kept = kept.filter((_, i) => i % 50 === 0);
  const before = process.memoryUsage().heapTotal;
  giveBackMemory();
  console.log(JSON.stringify({ before, after: process.memoryUsage().heapTotal, kept: kept.length }));
`;

async function heapOf(...options: string[]): Promise<{ readonly before: number; readonly after: number }> {
  const file = new URL('give-back-memory.js', import.meta.url).href;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...options,
    '--input-type=module',
    '-e',
    program,
    file,
  ]);
  return JSON.parse(stdout) as { before: number; after: number };
}

describe('giving memory back', () => {
  it('leaves less than half of a heap in which hardly anything is used', async () => {
    const { before, after } = await heapOf('--expose-gc');
    expect(after).toBeLessThan(before / 2);
  });

  it('does nothing where Node was started without --expose-gc', async () => {
    const { before, after } = await heapOf();
    expect(after).toBe(before);
  });
});
