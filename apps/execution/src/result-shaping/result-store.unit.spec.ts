import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { newExecutionId } from '@capability-router/kernel';
import { FileResultStore } from './result-store.js';

const nowMs = 1_790_000_000_000;
let directory: string;
beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'results-')), 'nested');
});
afterEach(() => rm(join(directory, '..'), { recursive: true }));

describe('the result store', () => {
  const storeOf = (maxTotalBytes: number) => new FileResultStore({ directory, lifetimeMs: 1_000, maxTotalBytes });
  async function written(store: FileResultStore, ageMs: number, sizeBytes: number) {
    const id = newExecutionId(nowMs);
    await store.save(id, Buffer.alloc(sizeBytes, 'x'));
    const seconds = (nowMs - ageMs) / 1_000;
    await utimes(join(directory, `${id}.json`), seconds, seconds);
    return id;
  }

  it('gives back what was saved, and leaves no temporary file', async () => {
    const store = storeOf(1_000);
    const id = newExecutionId(nowMs);
    await store.save(id, Buffer.from('{"a":"好"}'));
    const found = await store.read(id);
    expect(found?.sizeBytes).toBe(11);
    expect(found && (await text(found.stream))).toBe('{"a":"好"}');
    expect(await readdir(directory)).toEqual([`${id}.json`]);
  });

  it('knows nothing of what was never saved', async () => {
    expect(await storeOf(1_000).read(newExecutionId(nowMs))).toBeUndefined();
    expect(await storeOf(1_000).sweep(nowMs)).toEqual({ removed: 0, evicted: 0 });
  });

  it('sweeps what is past its lifetime, and then the oldest above the bound', async () => {
    const store = storeOf(250);
    const expired = await written(store, 2_000, 10);
    const oldest = await written(store, 900, 100);
    const middle = await written(store, 500, 100);
    const newest = await written(store, 100, 100);
    expect(await store.sweep(nowMs)).toEqual({ removed: 1, evicted: 1 });
    const left = new Set(await readdir(directory));
    expect([expired, oldest, middle, newest].map((id) => left.has(`${id}.json`))).toEqual([false, false, true, true]);
  });
});
