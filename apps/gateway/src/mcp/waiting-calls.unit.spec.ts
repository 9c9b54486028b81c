import { setTimeout as sleep } from 'node:timers/promises';
import { requestsUnderWay } from '@capability-router/service-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { envelope, readReply, resultOf, revisions, sendMcp, toolCall } from '../test-support/mcp-client.js';
import { RunningGateway } from '../test-support/running-gateway.js';

let gateway: RunningGateway;
beforeEach(() => {
  gateway = new RunningGateway();
});
afterEach(() => gateway.stop());

const executionId = `exec_${'0'.repeat(32)}`;

describe.each(revisions)('a call that takes long, in revision %s', (revision) => {
  const callOnce = (signal: AbortSignal): Promise<Response> =>
    gateway.fetch('/mcp', {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': revision,
        'mcp-method': 'tools/call',
        'mcp-name': 'call',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          ...toolCall('call', {}),
          ...(revision === '2026-07-28' ? { _meta: envelope } : {}),
        },
      }),
    });

  it('tells whoever asks for it that a call still runs', async () => {
    await gateway.start();
    gateway.upstream.behave = (_request, response) => {
      setTimeout(() => response.end(JSON.stringify({ execution_id: executionId, success: true })), 1_300);
    };
    const reply = await sendMcp(gateway, revision, 'tools/call', toolCall('call', {}, { progressToken: 'p' }));
    expect(reply.notices[0]).toMatchObject({
      method: 'notifications/progress',
      params: { progressToken: 'p', progress: 1, message: expect.any(String) },
    });
    expect(resultOf(reply)).toMatchObject({ isError: false });
  });

  it('lets a call go on that nobody waits for any more', async () => {
    await gateway.start();
    const ends: string[] = [];
    gateway.upstream.behave = (_request, response) => {
      response.once('close', () => ends.push(response.writableFinished ? 'answered' : 'broken off'));
      setTimeout(() => response.end('{}'), 150);
    };
    const gone = new AbortController();
    const waiting = callOnce(gone.signal);
    const read = waiting.then(readReply);
    while (gateway.upstream.seen.length === 0) await sleep(2);
    gone.abort();
    await expect(read).rejects.toThrow();
    while (gateway.upstream.seen.length + ends.length < 2) await sleep(5);
    expect(ends).toEqual(['answered']);
    expect(gateway.upstream.seen).toHaveLength(1);
    expect(gateway.logs).toEqual([]);
  });

  it('takes its place among the requests under way no longer than it goes on, whoever has hung up', async () => {
    await gateway.start();
    const held: (() => void)[] = [];
    gateway.upstream.behave = (_request, response) => held.push(() => response.end('{}'));
    const before = requestsUnderWay();
    const gone = new AbortController();
    const read = callOnce(gone.signal).then(readReply);
    while (held.length === 0) await sleep(2);
    gone.abort();
    await expect(read).rejects.toThrow();
    await sleep(100);
    // The answer of the older revision has begun with the call, and a connection that is gone has all that it takes.
    expect(requestsUnderWay() - before).toBe(revision === '2025-11-25' ? 0 : 1);
    for (const answer of held) answer();
    await sleep(100);
    expect(requestsUnderWay()).toBe(before);
  });
});
