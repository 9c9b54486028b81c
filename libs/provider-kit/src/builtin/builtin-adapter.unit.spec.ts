import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BuiltinAdapter, type ProviderAnswer } from '../index.js';

// Starting processes takes seconds on a machine that is busy.
jest.setTimeout(60_000);

/** A module of operations that behave as badly as one can. */
const operationsUrl = `data:text/javascript,${encodeURIComponent(`
  const inputError = (message) => Object.assign(new Error(message), { name: 'ToolInputError' });
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  export const operations = new Map(Object.entries({
    echo: (parameters) => parameters,
    nothing: () => undefined,
    refuse: () => { throw inputError('There is no unit "furlongg".'); },
    bug: () => { throw new TypeError('secret detail'); },
    loop: () => { for (;;); },
    hang: () => new Promise(() => {}),
    sleep: async ({ ms }) => { await sleep(ms); return ms; },
    hoard: () => { const hoard = []; for (;;) hoard.push(new Array(10_000).fill(Math.random())); },
    exit: () => process.exit(3),
    big: ({ bytes }) => 'x'.repeat(bytes),
    environment: () => Object.keys(process.env),
    where: () => process.pid,
  }));
  operations.set('abort', () => { const list = []; list.length = 1e9; for (let i = 0; i < 1e9; i += 1) list[i] = i; });
  operations.set('buffers', () => { const all = []; for (;;) all.push(Buffer.alloc(8_388_608, 1)); });
  operations.set('endless', operations.get('loop'));
  let loaded = 0;
  // Loading takes more of the processor than the operation may, and the operation hardly any, but long enough to be looked at.
  // Asked at every turn, the system would take several times as long for its answers.
  const work = () => { for (let turn = 0; turn < 1e6; turn += 1) Math.sqrt(turn); };
  const spin = (ms) => { for (const { user } = process.cpuUsage(); process.cpuUsage().user < user + ms * 1_000; ) work(); };
  operations.set('slow_to_load', async ({ sample }) => {
    if (sample) { spin(1_500); loaded += 1; } else await sleep(1_200);
    return loaded;
  });
  operations.set('dies_loading', ({ sample }) => { if (sample) process.exit(1); return 1; });
  operations.set('fails_loading', ({ sample }) => { if (sample) throw new Error('no data file'); return 1; });
  export const samples = new Map(
    ['slow_to_load', 'dies_loading', 'fails_loading'].map((name) => [name, { sample: true }]),
  );
  export const runLimitsMs = new Map([['endless', 200], ['slow_to_load', 1_000], ['nap', 1_000]]);
  operations.set('nap', () => new Promise(() => {}));
`)}`;

const MAX_RESULT_BYTES = 1_000;
const reports: string[] = [];
const adapter = new BuiltinAdapter({
  operationsUrl,
  maxProcesses: 1,
  maxQueue: 3,
  maxHeapMb: 48,
  maxResidentMb: 256,
  maxResultBytes: MAX_RESULT_BYTES,
  onUnexpected: (toolId, detail) => reports.push(`${toolId} ${detail}`),
});

const call = (
  operation: string,
  parameters = {},
  options: { deadlineMs?: number; signal?: AbortSignal; accountId?: string } = {},
): Promise<ProviderAnswer> =>
  adapter.call({
    toolId: `test.${operation}.run.v1`,
    provider: { providerId: 'test', name: { en: 'Test' }, description: { en: 'Test' } },
    binding: { kind: 'builtin', operation },
    parameters,
    deadlineMs: 40_000,
    ...options,
  });

/** Whatever says nothing of the tool. */
const ours = { retryable: true, ours: true } as const;

/** As a caller does who is told that the machine is too busy. */
async function callUntilHeard(operation: string): Promise<ProviderAnswer> {
  for (;;) {
    const answer = await call(operation);
    if (answer.kind === 'answered' || !answer.retryable) return answer;
  }
}

const expectAlive = async (): Promise<void> => {
  expect(await call('echo', { still: 'here' })).toMatchObject({ kind: 'answered', data: { still: 'here' } });
};

beforeAll(() => adapter.start());
afterAll(() => adapter.close());
beforeEach(() => {
  reports.length = 0;
});

describe('what an operation answers', () => {
  it('is handed on with its JSON text and size in bytes', async () => {
    expect(await call('echo', { city: '柏林' })).toEqual({
      kind: 'answered',
      data: { city: '柏林' },
      json: '{"city":"柏林"}',
      sizeBytes: 17,
    });
  });

  it('is null when there is no result', async () => {
    expect(await call('nothing')).toMatchObject({ kind: 'answered', data: null });
  });

  it('may have exactly the greatest size and not a byte more', async () => {
    expect((await call('big', { bytes: MAX_RESULT_BYTES - 2 })).kind).toBe('answered');
    expect(await call('big', { bytes: MAX_RESULT_BYTES - 1 })).toMatchObject({
      kind: 'failed',
      fault: 'execution_failed',
      message: expect.stringContaining('too large'),
    });
  });
});

describe('a fault of an operation', () => {
  it('is the caller’s, with its message, when it is about the input', async () => {
    expect(await call('refuse')).toEqual({
      kind: 'failed',
      fault: 'provider_error',
      message: 'There is no unit "furlongg".',
      retryable: false,
      callerFault: true,
    });
    expect(reports).toEqual([]);
  });

  it('is reported and kept from the caller when it is a bug', async () => {
    const answer = await call('bug');
    expect(answer).toMatchObject({ kind: 'failed', fault: 'execution_failed', retryable: false });
    expect(answer).not.toHaveProperty('ours');
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(reports.join()).toContain('TypeError: secret detail');
  });

  it('is execution_failed for an operation that does not exist', async () => {
    expect(await call('missing')).toMatchObject({ kind: 'failed', fault: 'execution_failed' });
  });
});

describe('the limits of a process', () => {
  it('end an endless loop as a timeout, and the next call is answered', async () => {
    expect(await call('loop', {}, { deadlineMs: 100 })).toMatchObject({ kind: 'failed', fault: 'timeout' });
    await expectAlive();
  });

  it('end a promise that never settles as a timeout, and the next call is answered', async () => {
    expect(await call('hang', {}, { deadlineMs: 100 })).toMatchObject({ kind: 'failed', fault: 'timeout' });
    await expectAlive();
  });

  it('end an operation that exhausts its heap, and the next call is answered', async () => {
    expect(await call('hoard')).toMatchObject({
      kind: 'failed',
      fault: 'execution_failed',
      message: expect.stringContaining('memory'),
    });
    await expectAlive();
  });

  it.each([
    ['ends its process', 'exit', 'stopped'],
    ['makes V8 abort: one allocation that does not fit its heap', 'abort', 'memory'],
    ['takes memory that V8 does not count', 'buffers', 'memory'],
  ])('survive an operation that %s', async (_what, operation, message) => {
    expect(await call(operation)).toMatchObject({
      kind: 'failed',
      fault: 'execution_failed',
      message: expect.stringContaining(message),
      retryable: false,
    });
    await expectAlive();
  });

  it('end an operation that takes longer than it may, however far away the deadline of its call is', async () => {
    expect(await callUntilHeard('endless')).toMatchObject({
      kind: 'failed',
      fault: 'timeout',
      message: expect.stringContaining('longer than the tool allows'),
      retryable: false,
    });
    await expectAlive();
  });

  it('are those of a process of its own, the same one as long as it lives', async () => {
    const first = await call('where');
    expect(first).not.toMatchObject({ data: process.pid });
    expect(await call('where')).toEqual(first);
  });

  it('show an operation no environment variable', async () => {
    expect(await call('environment')).toMatchObject({ data: ['TZ'] });
  });

  it('leave nothing running of a call that has ended', async () => {
    const used = await call('where');
    const before = used.kind === 'answered' ? Number(used.data) : 0;
    expect(adapter.processIds).toContain(before);
    expect(await call('loop', {}, { deadlineMs: 100 })).toMatchObject({ fault: 'timeout' });
    await expectAlive();
    expect(adapter.processIds).not.toContain(before);
    const isThere = (): boolean => {
      try {
        return process.kill(before, 0);
      } catch {
        return false;
      }
    };
    // Until the system has tidied up, it is there; a process that went on would be there for ever.
    while (isThere()) await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it('stop a call that its caller gives up', async () => {
    const controller = new AbortController();
    const answer = call('loop', {}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    expect(await answer).toMatchObject({ kind: 'failed', fault: 'timeout' });
    await expectAlive();
  });
});

describe('what is not the fault of the operation is told as ours, and may be retried', () => {
  it('loading takes longer than the operation may', async () => {
    expect(await call('slow_to_load')).toMatchObject({ kind: 'answered', data: 1 });
    expect(await call('slow_to_load')).toMatchObject({ data: 1 });
  });

  it('the deadline passes while it is loaded, and what was loaded serves the next call', async () => {
    await call('exit');
    const early = await call('slow_to_load', {}, { deadlineMs: 500 });
    expect(early).toMatchObject({ kind: 'failed', fault: 'timeout', ...ours });
    expect(await call('slow_to_load')).toMatchObject({ data: 1 });
  });

  it.each(['dies_loading', 'fails_loading'])('loading fails: %s', async (operation) => {
    expect(await call(operation)).toMatchObject({
      kind: 'failed',
      fault: 'execution_failed',
      message: expect.stringContaining('ours'),
      ...ours,
    });
    expect(reports.length).toBeGreaterThan(0);
    await expectAlive();
  });

  it('it had no processor in all of its time', async () => {
    const answer = await call('nap');
    expect(answer).toMatchObject({ fault: 'timeout', message: expect.stringContaining('busy'), ...ours });
  });

  it('somebody else ends its process', async () => {
    const running = call('sleep', { ms: 10_000 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const killed = [...adapter.processIds];
    for (const id of killed) process.kill(id, 'SIGKILL');
    expect(await running).toMatchObject({ kind: 'failed', fault: 'execution_failed', ...ours });
    // The end of a process that was idle may be heard of a moment later; until then a call may be given to it, and fails as this one did.
    while (adapter.processIds.some((id) => killed.includes(id))) await new Promise((resolve) => setTimeout(resolve, 5));
    await expectAlive();
  });
});

describe('the queue', () => {
  it('refuses the call above its bound at once, as busy and retryable', async () => {
    const accepted = Array.from({ length: 4 }, () => call('sleep', { ms: 20 }));
    expect(await call('echo')).toMatchObject({
      kind: 'failed',
      fault: 'execution_failed',
      message: expect.stringContaining('busy'),
      ...ours,
    });
    expect((await Promise.all(accepted)).map(({ kind }) => kind)).toEqual(Array(4).fill('answered'));
    expect(adapter.inFlight).toBe(0);
  });

  it('serves first come, first served', async () => {
    const order: number[] = [];
    await Promise.all(
      [1, 2, 3, 4].map(async (n) => {
        await call('sleep', { ms: 5 });
        order.push(n);
      }),
    );
    expect(order).toEqual([1, 2, 3, 4]);
  });

  it('lets a waiting call time out without touching the one that runs', async () => {
    const running = call('sleep', { ms: 1_000 });
    expect(await call('echo', {}, { deadlineMs: 20 })).toMatchObject({ kind: 'failed', fault: 'timeout', ...ours });
    expect(await running).toMatchObject({ kind: 'answered', data: 1_000 });
  });
});

it('refuses to start with operations that cannot be loaded', async () => {
  const broken = new BuiltinAdapter({ operationsUrl: 'data:text/javascript,throw new Error("no data file")' });
  await expect(broken.start()).rejects.toThrow('no data file');
  await broken.close();
});
