import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccountId, systemClock, type ExecutionId, type JsonObject } from '@capability-router/kernel';
import { startExecution, type ExecutionSettings, type RunningExecution } from '../../test-support/running-execution.js';
import { startS3Server, type S3Server } from '../../test-support/s3-server.js';
import { toolContract } from '../../test-support/tool-contract.js';
import { signResultToken } from './result-link.js';

const tool = toolContract();
const data = { text: 'aé好😀'.repeat(100), rows: [1, 2, 3] };
const whole = JSON.stringify(data);
const sizeBytes = Buffer.byteLength(whole);
/** As `startExecution` has it. */
const linkKey = Buffer.from('k'.repeat(32));

const start = (resultStore: ExecutionSettings['resultStore'] = {}): Promise<RunningExecution> =>
  startExecution(
    [tool],
    { call: () => Promise.resolve({ kind: 'answered', data }), close: () => Promise.resolve() },
    {},
    undefined,
    { resultStore },
  );

const truncated = { tool_id: tool.toolId, parameters: { city: 'Bern' }, max_response_size: 20 };
const resultOf = (body: JsonObject): JsonObject => body['result'] as JsonObject;
const pathOf = (body: JsonObject): string => new URL(resultOf(body)['full_content_file_url'] as string).pathname;
const inS3 = (server: Pick<S3Server, 'endpoint' | 'bucket'>, timeoutMs: number): ExecutionSettings['resultStore'] => ({
  place: {
    kind: 's3',
    bucket: server.bucket,
    prefix: `${randomUUID()}/`,
    region: 'us-east-1',
    endpoint: server.endpoint,
    pathStyle: true,
    timeoutMs,
  },
  timeoutMs,
});

describe.each(['directory', 's3'] as const)('a link to a full result in the %s store', (kind) => {
  let server: S3Server | undefined;
  let execution: RunningExecution;
  let replica: RunningExecution;
  let path = '';
  let etag = '';
  beforeAll(async () => {
    server = kind === 's3' ? await startS3Server() : undefined;
    execution = await start(server === undefined ? {} : inS3(server, 60_000));
    replica = await execution.replica();
    const { status, body } = await execution.call(truncated);
    expect(status).toBe(200);
    path = pathOf(body);
    etag = `"${body['execution_id'] as string}"`;
  });
  afterAll(async () => {
    await replica.stop();
    await execution.stop();
    await server?.close();
  });

  it('gives all of it, from any replica, as a file that no browser shows or keeps', async () => {
    for (const one of [execution, replica]) {
      const answer = await one.download(path);
      expect([answer.status, answer.text]).toEqual([200, whole]);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="${etag.slice(1, -1)}.json"`,
        'content-length': String(sizeBytes),
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'accept-ranges': 'bytes',
        etag,
      });
    }
  });

  it('gives parts, which make up the whole', async () => {
    const parts: string[] = [];
    const bytes = Buffer.from(whole);
    for (let from = 0; from < sizeBytes; from += 400) {
      const answer = await execution.download(path, { range: `bytes=${from}-${from + 399}`, 'if-range': etag });
      const last = Math.min(from + 399, sizeBytes - 1);
      expect([answer.status, answer.headers['content-range']]).toEqual([206, `bytes ${from}-${last}/${sizeBytes}`]);
      expect(answer.headers['content-length']).toBe(String(last - from + 1));
      parts.push(answer.text);
      expect(answer.text).toBe(bytes.toString('utf8', from, last + 1));
    }
    expect(parts.length).toBeGreaterThan(2);
    const tail = await execution.download(path, { range: 'bytes=-1' });
    expect([tail.status, tail.text]).toEqual([206, '}']);
    const otherVersion = await execution.download(path, { range: 'bytes=0-1', 'if-range': '"another"' });
    expect([otherVersion.status, otherVersion.text]).toEqual([200, whole]);
  });

  it('gives no bytes to HEAD, to who has them, and behind the end', async () => {
    const head = await execution.download(path, { range: 'bytes=0-1' }, 'HEAD');
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, String(sizeBytes), '']);
    for (const method of ['GET', 'HEAD'] as const) {
      const known = await execution.download(path, { 'if-none-match': etag }, method);
      expect([known.status, known.headers['etag'], known.text]).toEqual([304, etag, '']);
    }
    const beyond = await execution.download(path, { range: `bytes=${sizeBytes}-` });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${sizeBytes}`]);
    expect(JSON.parse(beyond.text)).toEqual({
      status: 'failure',
      message: expect.stringContaining(`${sizeBytes} bytes`),
    });
    expect(beyond.headers['content-disposition']).toBeUndefined();
  });

  it('is refused when it was changed, and gone when it has expired or its result has', async () => {
    const token = path.slice(path.lastIndexOf('/') + 1);
    for (const changed of [
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      token.slice(0, -1),
      `${token}x`,
    ]) {
      const answer = await execution.download(path.replace(token, changed));
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        404,
        {
          status: 'failure',
          code: 'not_found',
          message: expect.stringMatching(/cut or changed.*full_content_file_url/),
        },
      ]);
    }
    const { accountId } = execution.account;
    const nowMs = systemClock.nowMs();
    const executionId = etag.slice(1, -1) as ExecutionId;
    const expired = signResultToken(linkKey, { accountId, executionId } as never, nowMs - 1_000);
    const stranger = signResultToken(linkKey, { accountId: newAccountId(nowMs), executionId }, nowMs + 60_000);
    for (const gone of [expired, stranger]) {
      const answer = await execution.download(path.replace(token, gone));
      expect([answer.status, answer.headers['cache-control'], JSON.parse(answer.text)]).toEqual([
        410,
        'no-store',
        { status: 'failure', message: expect.stringMatching(/expired.*respond_with=fields/) },
      ]);
    }
  });

  it('is the same for a replay of its call, and as long-lived', async () => {
    const idempotencyKey = randomUUID();
    const first = await execution.call(truncated, { idempotencyKey });
    const replay = await replica.call(truncated, { idempotencyKey });
    expect(replay.headers['idempotency-replayed']).toBe('true');
    expect(replay.body['execution_id']).toBe(first.body['execution_id']);
    for (const { body } of [first, replay]) expect((await replica.download(pathOf(body))).text).toBe(whole);
  });

  it('is gone on every replica once its account is closed, and stays while it is suspended or blocked', async () => {
    const { accountId } = execution.account;
    const another = { ...execution.account, accountId: newAccountId(systemClock.nowMs()) };
    const kept = pathOf((await execution.call(truncated, { account: another })).body);
    for (const state of ['suspended', 'payment_required']) {
      await execution.publishOfAccount('AccountStateChanged', { accountId: another.accountId, state });
    }
    await execution.publishOfAccount('AccountStateChanged', { accountId, state: 'closed' });
    for (const one of [execution, replica]) {
      for (let tries = 0; tries < 100 && (await one.download(path)).status !== 410; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      for (const method of ['GET', 'HEAD'] as const) {
        expect((await one.download(path, { 'if-none-match': etag }, method)).status).toBe(410);
      }
      expect((await one.download(kept)).text).toBe(whole);
    }
  });

  it('is counted', async () => {
    const text = await execution.metrics.metrics();
    expect(text).toMatch(/result_store_writes_total\{result="kept"\} 3\n/);
    expect(text).toContain(`result_store_written_bytes_total ${3 * sizeBytes}\n`);
    expect(text).toContain('result_store_writes_in_flight 0\n');
  });
});

describe('a result store that hangs', () => {
  const server = createServer(() => undefined);
  let execution: RunningExecution;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    execution = await start(inS3({ endpoint: `http://127.0.0.1:${port}`, bucket: 'b' }, 400));
  });
  afterAll(async () => {
    await execution.stop();
    server.closeAllConnections();
    server.close();
  });

  it.each([
    ['without a key', undefined],
    ['with a key', randomUUID()],
  ])('holds no call up and loses no charge: the answer has no link, %s', async (_name, idempotencyKey) => {
    const options = idempotencyKey === undefined ? {} : { idempotencyKey };
    const { status, body } = await execution.call(truncated, options);
    expect([status, body['success'], body['cost']]).toEqual([200, true, 0.25]);
    const result = resultOf(body);
    expect(result).not.toHaveProperty('full_content_file_url');
    expect(result['message']).toMatch(/could not be kept/);
    expect(Buffer.byteLength(result['truncated_content'] as string)).toBeLessThanOrEqual(20);
    const sql = "SELECT type FROM events WHERE stream_id = $1 AND type = 'ExecutionCompleted'";
    expect((await execution.database.pool.query(sql, [body['execution_id']])).rows).toHaveLength(1);
    if (idempotencyKey === undefined) return;
    const replay = await execution.call(truncated, { idempotencyKey });
    expect(replay.headers['idempotency-replayed']).toBe('true');
    expect(replay.body).toEqual(body);
  });

  it('makes a download wait for its time limit, and says that it may be tried again', async () => {
    const key = { accountId: newAccountId(0), executionId: 'exec_0123456789abcdef0123456789abcdef' } as never;
    const token = signResultToken(linkKey, key, systemClock.nowMs() + 60_000);
    const answer = await execution.download(`/api/v1/results/${token}`);
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2']);
    expect(JSON.parse(answer.text)).toEqual({
      status: 'failure',
      code: 'service_unavailable',
      message: expect.stringContaining('same link'),
    });
  });

  it('is counted, and leaves no books behind', async () => {
    expect(await execution.metrics.metrics()).toMatch(/result_store_writes_total\{result="(?:late|failed)"\} \d/);
    for (;;) {
      if (/writes_in_flight 0\n/.test(await execution.metrics.metrics())) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect((await execution.database.pool.query('SELECT FROM stored_results')).rows).toHaveLength(0);
  });
});

describe('a process that starts', () => {
  it('sweeps what one that crashed has left', async () => {
    const execution = await start();
    const { body } = await execution.call(truncated);
    const { pool } = execution.database;
    await pool.query("UPDATE stored_results SET stored_at = now() - interval '3 hours'");
    const replica = await execution.replica();
    for (;;) {
      if ((await pool.query('SELECT FROM stored_results')).rows.length === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect((await execution.download(pathOf(body))).status).toBe(410);
    await replica.stop();
    await execution.stop();
  });
});
