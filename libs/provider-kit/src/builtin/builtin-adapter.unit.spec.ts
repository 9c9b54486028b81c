import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BuiltinAdapter, type ProviderAnswer } from '../index.js';

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
  for (const name of ['echo', 'refuse', 'loop', 'hoard', 'exit', 'environment', 'where']) {
    operations.set('isolated_' + name, operations.get(name));
  }
  const sparse = () => { const list = []; list.length = 1e9; for (let i = 0; i < 1e9; i += 1) list[i] = i; };
  operations.set('isolated_abort', sparse);
  operations.set('isolated_endless', operations.get('loop'));
  const limitMs = (name) => name === 'isolated_endless' ? 200 : 60_000;
  export const isolatedOperations = new Map(
    [...operations.keys()].filter((name) => name.startsWith('isolated_')).map((name) => [name, limitMs(name)]),
  );
`)}`;

const MAX_RESULT_BYTES = 1_000;
const reports: string[] = [];
const adapter = new BuiltinAdapter({
  operationsUrl,
  maxThreads: 1,
  maxProcesses: 1,
  maxQueue: 3,
  maxHeapMb: 48,
  maxResultBytes: MAX_RESULT_BYTES,
  onUnexpected: (toolId, detail) => reports.push(`${toolId} ${detail}`),
});

const call = (
  operation: string,
  parameters = {},
  options: { deadlineMs?: number; signal?: AbortSignal } = {},
): Promise<ProviderAnswer> =>
  adapter.call({
    toolId: `test.${operation}.run.v1`,
    provider: { providerId: 'test', name: { en: 'Test' }, description: { en: 'Test' } },
    binding: { kind: 'builtin', operation },
    parameters,
    deadlineMs: 40_000,
    ...options,
  });

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
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(reports.join()).toContain('TypeError: secret detail');
  });

  it('is execution_failed for an operation that does not exist', async () => {
    expect(await call('missing')).toMatchObject({ kind: 'failed', fault: 'execution_failed' });
  });
});

describe('the limits of a worker thread', () => {
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

  it('survive an operation that ends its thread', async () => {
    expect(await call('exit')).toMatchObject({ kind: 'failed', fault: 'execution_failed' });
    await expectAlive();
  });

  it('show an operation no environment variable', async () => {
    expect(await call('environment')).toMatchObject({ data: [] });
  });

  it('stop a call that its caller gives up', async () => {
    const controller = new AbortController();
    const answer = call('loop', {}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    expect(await answer).toMatchObject({ kind: 'failed', fault: 'timeout' });
    await expectAlive();
  });
});

describe('an operation that must be isolated', () => {
  const expectIsolatedAlive = async (): Promise<void> => {
    expect(await call('isolated_echo', { still: 'here' })).toMatchObject({ data: { still: 'here' } });
  };

  it('runs in a process of its own, the same one as long as it lives', async () => {
    const first = await call('isolated_where');
    expect(first).not.toMatchObject({ data: process.pid });
    expect(await call('isolated_where')).toEqual(first);
    expect(await call('where')).toMatchObject({ data: process.pid });
  });

  it('survives as a service what aborts a process: one allocation that does not fit its heap', async () => {
    expect(await call('isolated_abort')).toMatchObject({
      kind: 'failed',
      fault: 'execution_failed',
      message: expect.stringContaining('memory'),
    });
    await expectIsolatedAlive();
  });

  it.each([
    ['isolated_loop', 'timeout'],
    ['isolated_hoard', 'execution_failed'],
    ['isolated_exit', 'execution_failed'],
    ['isolated_refuse', 'provider_error'],
  ])('has the same limits: %s is %s', async (operation, fault) => {
    const deadlineMs = fault === 'timeout' ? 300 : 40_000;
    expect(await call(operation, {}, { deadlineMs })).toMatchObject({ kind: 'failed', fault });
    await expectIsolatedAlive();
  });

  it('is ended when it takes longer than it may, however far away the deadline of its call is', async () => {
    expect(await call('isolated_endless')).toMatchObject({
      kind: 'failed',
      fault: 'timeout',
      message: expect.stringContaining('longer than the tool allows'),
      retryable: false,
    });
    await expectIsolatedAlive();
  });

  it('sees no environment variable', async () => {
    expect(await call('isolated_environment')).toMatchObject({ data: [] });
  });
});

describe('the queue', () => {
  it('refuses the call above its bound at once, as busy and retryable', async () => {
    const accepted = Array.from({ length: 4 }, () => call('sleep', { ms: 20 }));
    expect(await call('echo')).toMatchObject({
      kind: 'failed',
      fault: 'execution_failed',
      message: expect.stringContaining('busy'),
      retryable: true,
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
    expect(await call('echo', {}, { deadlineMs: 20 })).toMatchObject({
      kind: 'failed',
      fault: 'timeout',
      retryable: true,
    });
    expect(await running).toMatchObject({ kind: 'answered', data: 1_000 });
  });
});

it('refuses to start with operations that cannot be loaded', async () => {
  const broken = new BuiltinAdapter({ operationsUrl: 'data:text/javascript,throw new Error("no data file")' });
  await expect(broken.start()).rejects.toThrow('no data file');
  await broken.close();
});
