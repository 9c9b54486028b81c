import { describe, expect, it, jest } from '@jest/globals';
import { createRequire } from 'node:module';
import { patchIdleTimer } from './kafkajs-timer-patch.js';

interface Queue {
  pending: unknown[];
  inflight: Map<number, unknown>;
  push(request: unknown): void;
  fulfillRequest(response: { correlationId: number; size: number; payload: null }): void;
  checkPendingRequests(): void;
  maybeThrottle(ms: number): void;
  destroy(): void;
}
type QueueClass = new (options: object) => Queue;

const newQueue = (): Queue => {
  const RequestQueue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as QueueClass;
  const logger = { debug: () => undefined, warn: () => undefined };
  return new RequestQueue({ maxInFlightRequests: 1, requestTimeout: 1_000, clientId: 'c', broker: 'b', logger });
};
const request = (correlationId: number, sendRequest: () => void) => ({
  entry: { correlationId, reject: () => undefined, resolve: () => undefined, apiName: 'x', apiKey: 1, apiVersion: 1 },
  expectResponse: true,
  sendRequest,
});

describe('the patch of kafkajs', () => {
  it('finds the internals of the installed version', () => {
    expect(patchIdleTimer()).toBe(true);
    expect(patchIdleTimer()).toBe(true);
  });

  it('arms no timer on an idle connection', () => {
    patchIdleTimer();
    const setTimer = jest.spyOn(globalThis, 'setTimeout');
    newQueue().checkPendingRequests();
    expect(setTimer).not.toHaveBeenCalled();
    setTimer.mockRestore();
  });

  it('still sends a request that had to wait for a throttle to end', async () => {
    patchIdleTimer();
    const queue = newQueue();
    queue.maybeThrottle(30);
    const sent = new Promise<void>((resolve) => queue.push(request(1, resolve)));
    expect(queue.pending).toHaveLength(1);
    await sent;
    queue.destroy();
  });

  it('still sends a request that had to wait for another to be answered', () => {
    patchIdleTimer();
    const queue = newQueue();
    const send = jest.fn();
    queue.push(request(1, () => undefined));
    queue.push(request(2, send));
    expect(send).not.toHaveBeenCalled();
    queue.fulfillRequest({ correlationId: 1, size: 0, payload: null });
    expect(send).toHaveBeenCalledTimes(1);
    queue.destroy();
  });
});
