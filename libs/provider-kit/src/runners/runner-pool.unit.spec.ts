import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { RunnerPool, type RunnerPoolOptions } from './runner-pool.js';

const tasksUrl = `data:text/javascript,${encodeURIComponent(`
  export const openTasks = async ({ greeting }) => ({
    prepare: async (kind) => {
      if (kind === 'heavy') globalThis.loaded = Buffer.alloc(150 * 1_048_576, 1);
      return kind === 'wait' || kind === 'limited loop' ? 1_000 : undefined;
    },
    run: async (kind, task) => {
      if (kind === 'limited loop') for (;;);
      if (kind === 'wait') await new Promise((resolve) => setTimeout(resolve, Number(task)));
      if (kind === 'loop' && task !== 'not yet') for (;;);
      if (kind === 'hold') { globalThis.held = Buffer.alloc(Number(task), 1); return 'held'; }
      if (kind === 'throw') throw new Error('a bug');
      return kind === 'where' ? String(process.pid) : greeting + task;
    },
  });
`)}`;

// Starting processes takes seconds on a machine that is busy.
jest.setTimeout(60_000);

const MEBIBYTE = 1_048_576;
const pools: RunnerPool[] = [];
function poolOf(options: Partial<RunnerPoolOptions> = {}): RunnerPool {
  const pool = new RunnerPool({
    tasksUrl,
    settings: { greeting: 'hello ' },
    maxHeapMb: 64,
    maxRunners: 2,
    maxQueue: 10,
    maxResidentBytes: 256 * MEBIBYTE,
    minIdle: 1,
    idleMs: 30_000,
    onFault: () => undefined,
    ...options,
  });
  pools.push(pool);
  return pool;
}
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

const run = (pool: RunnerPool, kind: string, task = '', holder = 'a', deadlineMs = 40_000) =>
  pool.run({ holder, kind, task, deadlineMs });
const answerOf = async (pool: RunnerPool, kind: string, task = ''): Promise<string> => {
  const outcome = await run(pool, kind, task);
  return outcome.kind === 'answered' ? outcome.answer : JSON.stringify(outcome);
};
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}

describe('the processes of a pool', () => {
  it('are given settings, and tell what a task has used', async () => {
    const outcome = await run(poolOf(), 'greet', 'you');
    expect(outcome).toMatchObject({ kind: 'answered', answer: 'hello you' });
    if (outcome.kind !== 'answered') return;
    expect(outcome.usage.cpuMs).toBeGreaterThan(0);
    expect(outcome.usage.runMs).toBeGreaterThan(0);
    expect(outcome.usage.residentBytes).toBeGreaterThan(10 * MEBIBYTE);
  });

  it('have a spare one while all of them are occupied for longer than a moment, before one has to be ended', async () => {
    const pool = poolOf({ maxRunners: 1 });
    const endless = pool.run({ holder: 'a', kind: 'loop', task: '', deadlineMs: 3_000 });
    await until(() => pool.processIds.length === 2);
    const before = pool.processIds;
    expect(await endless).toMatchObject({ kind: 'ended', by: 'given_up' });
    expect(before.map(String)).toContain(await answerOf(pool, 'where'));
  });

  it('may take their limit of the processor, and longer by the clock while they have none, but not for ever', async () => {
    const pool = poolOf();
    expect(await answerOf(pool, 'wait', '1500')).toBe('hello 1500');
    expect(await run(pool, 'wait', '60000')).toMatchObject({ kind: 'ended', by: 'starved' });
    const outcome = await run(pool, 'limited loop');
    expect(outcome).toMatchObject({ kind: 'ended', by: expect.stringMatching(/^(time|starved)$/) });
    // Beside much else it has less than its second of the processor by then, and is starved with less than half of it.
    if (outcome.kind === 'ended' && outcome.by === 'time' && outcome.usage.cpuMs !== undefined) {
      expect(outcome.usage.cpuMs).toBeGreaterThanOrEqual(500);
    }
  });

  it('are not all with one holder', async () => {
    const pool = poolOf({ maxRunners: 2 });
    const endless = run(pool, 'loop', '', 'a', 5_000);
    const next = run(pool, 'loop', '', 'a', 6_000);
    expect(await run(pool, 'greet', 'you', 'b')).toMatchObject({ answer: 'hello you' });
    await pool.close();
    await Promise.all([endless, next]);
  });

  it('are not waited for while they load, where another one is free before', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'runner-pool-'));
    // Every process after the first never ends loading.
    const slowUrl = `data:text/javascript,${encodeURIComponent(`
      import { mkdirSync } from 'node:fs';
      export const openTasks = async ({ mark }) => ({
        prepare: async () => { try { mkdirSync(mark); } catch { await new Promise(() => setInterval(() => {}, 1e6)); } },
        run: async (kind, task) => { await new Promise((resolve) => setTimeout(resolve, Number(task))); return task; },
      });
    `)}`;
    const pool = poolOf({ tasksUrl: slowUrl, settings: { mark: join(folder, 'first') }, maxRunners: 3 });
    expect(await answerOf(pool, 'wait', '1')).toBe('1');
    const holders = ['a', 'b', 'c', 'd', 'e', 'f'];
    const outcomes = await Promise.all(holders.map((holder) => run(pool, 'wait', '100', holder, 20_000)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(holders.map(() => 'answered'));
    await rm(folder, { recursive: true });
  });

  it('are no more than the tasks that run at once and a spare one, however many come together', async () => {
    const pool = poolOf({ maxRunners: 2, maxQueue: 100 });
    await run(pool, 'wait', '1');
    let most = 0;
    const count = (): number => (most = Math.max(most, pool.processIds.length));
    for (let burst = 0; burst < 5; burst += 1) {
      const holders = Array.from({ length: 12 }, (_, index) => String(index));
      await Promise.all(holders.map((holder) => run(pool, 'wait', '1', holder).then(count)));
    }
    // Processes that were begun for tasks which others have served by now come to their end.
    for (let turn = 0; turn < 40; turn += 1) await sleep(100).then(count);
    expect(most).toBeLessThanOrEqual(3);
  });

  it('serve the task for which they were loaded, also where loading took most of the memory that they may have', async () => {
    const pool = poolOf({ maxRunners: 1 });
    expect(await answerOf(pool, 'heavy', 'you')).toBe('hello you');
    expect(await answerOf(pool, 'greet', 'you')).toBe('hello you');
  });

  it('are replaced when they have kept much of what they may have', async () => {
    const pool = poolOf();
    const first = await answerOf(pool, 'where');
    expect(await answerOf(pool, 'where')).toBe(first);
    expect(await answerOf(pool, 'hold', String(130 * MEBIBYTE))).toBe('held');
    expect(await answerOf(pool, 'where')).not.toBe(first);
    await until(() => !isAlive(Number(first)));
  });

  it('end when they have been idle, but for the one that stays', async () => {
    const pool = poolOf({ idleMs: 300 });
    await Promise.all(['a', 'b'].map((holder) => run(pool, 'greet', '', holder)));
    await until(() => pool.processIds.length === 1);
    await sleep(600);
    expect(pool.processIds).toHaveLength(1);
    const none = poolOf({ idleMs: 300, minIdle: 0 });
    await run(none, 'greet');
    await until(() => none.processIds.length === 0);
  });

  it('are started anew when they are idle and have grown, and stay when they have not', async () => {
    const pool = poolOf({ idleMs: 300 });
    const first = await answerOf(pool, 'where');
    await sleep(900);
    expect(await answerOf(pool, 'where')).toBe(first);
    expect(await answerOf(pool, 'hold', String(40 * MEBIBYTE))).toBe('held');
    await until(() => pool.processIds.length === 1 && !pool.processIds.includes(Number(first)));
  });

  it('survive a throw of the module', async () => {
    const pool = poolOf();
    const first = await answerOf(pool, 'where');
    expect(await run(pool, 'throw')).toMatchObject({ kind: 'threw', detail: expect.stringContaining('a bug') });
    expect(await answerOf(pool, 'where')).toBe(first);
  });

  it('end with the pool, and what waits is told so', async () => {
    const pool = poolOf({ maxRunners: 1 });
    // A process that is warm begins at once: what is stopped below is a task, not the start of a process.
    await run(pool, 'loop', 'not yet');
    const running = run(pool, 'loop');
    await sleep(20);
    const ids = pool.processIds;
    const waiting = run(pool, 'greet');
    await pool.close();
    expect(await running).toMatchObject({ kind: 'ended', by: 'service' });
    expect(await waiting).toEqual({ kind: 'not_begun', why: 'closed' });
    expect(await run(pool, 'greet')).toEqual({ kind: 'not_begun', why: 'closed' });
    await until(() => ids.every((id) => !isAlive(id)));
  });
});

it('leaves no process behind when the service is killed, not even one in an endless loop', async () => {
  const program = `
    const { RunnerPool } = await import(${JSON.stringify(new URL('../../dist/runners/runner-pool.js', import.meta.url).href)});
    const pool = new RunnerPool({ tasksUrl: ${JSON.stringify(tasksUrl)}, settings: {}, maxHeapMb: 64, maxRunners: 1,
      maxQueue: 1, maxResidentBytes: 1e9, minIdle: 1, idleMs: 30000, onFault: console.error });
    await pool.start();
    void pool.run({ holder: 'a', kind: 'loop', task: '', deadlineMs: 600000 });
    setTimeout(() => console.log(JSON.stringify(pool.processIds)), 300);
  `;
  const service = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(service.stdout, 'data')) as [Buffer];
  const ids = JSON.parse(said.toString()) as number[];
  expect(ids.length).toBeGreaterThan(0);
  expect(ids.every(isAlive)).toBe(true);
  service.kill('SIGKILL');
  await until(() => !ids.some(isAlive));
});
