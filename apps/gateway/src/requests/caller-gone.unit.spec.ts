import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestsUnderWay } from '@capability-router/service-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RunningGateway, validKey } from '../test-support/running-gateway.js';

let gateway: RunningGateway;
beforeEach(() => {
  gateway = new RunningGateway();
});
afterEach(() => gateway.stop());

describe('a caller who hangs up', () => {
  /** Whole requests, each on a connection that is reset in the moment in which it was sent. */
  async function sendAndReset(times: number, lines: readonly string[], body: string): Promise<void> {
    const { hostname, port } = new URL(gateway.url);
    const head = [...lines, 'host: x', 'content-type: application/json', `content-length: ${body.length}`];
    for (let turn = 0; turn < times; turn += 1) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
          socket.resetAndDestroy();
        });
        socket.once('close', () => resolve()).on('error', () => undefined);
      });
    }
  }

  it('before the request was looked at leaves no error behind, and nothing that was sent on without an address', async () => {
    await gateway.start();
    await gateway.post('/api/v1/tools/execute', {});
    const bearer = `authorization: Bearer ${validKey}`;
    await sendAndReset(50, ['POST /api/v1/tools/execute HTTP/1.1', bearer], '{}');
    await sendAndReset(50, ['POST /api/v1/agent/anonymous-register HTTP/1.1'], '{}');
    expect((await gateway.post('/api/v1/tools/execute', {})).status).toBe(200);
    expect(gateway.logs).toEqual([]);
    for (const { headers } of gateway.upstream.seen) expect(headers['x-client-ip']).toBe('127.0.0.1');
  });

  it.each(['/api/v1/auth/usage/history/v2/export', '/api/v1/results/abc'])(
    'before a service has answered what is passed on as it comes leaves no place taken: GET %s',
    async (path) => {
      await gateway.start();
      gateway.upstream.behave = () => undefined;
      const before = requestsUnderWay();
      const gone = new AbortController();
      const waiting = gateway.fetch(path, { signal: gone.signal });
      while (gateway.upstream.seen.length === 0) await sleep(2);
      expect(requestsUnderWay()).toBe(before + 1);
      gone.abort();
      await expect(waiting).rejects.toThrow();
      await sleep(100);
      expect(requestsUnderWay()).toBe(before);
    },
  );
});
