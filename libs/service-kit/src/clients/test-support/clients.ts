import { systemClock } from '@capability-router/kernel';
import { FrozenReplica, Replica, type Handler } from '../../testing/replica.js';
import { generateInternalKeys } from '../../tokens/generate-keys.js';
import { InternalTokens } from '../../tokens/internal-tokens.js';
import type { AddressObserver } from '../addresses/service-address.js';
import { HttpServiceClient } from '../http-service-client.js';
import {
  UpstreamTimeout,
  UpstreamUnavailable,
  type ServiceRequest,
  type StreamedRequest,
  type StreamedResponse,
} from '../service-client.js';

const closers: (() => unknown)[] = [];
/** Everything that the functions below have opened. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

/** `close` is called with the others. */
export const closeLater = (close: () => unknown): void => void closers.push(close);

export async function replicaOf(handle?: Handler, ready = true, port = 0): Promise<Replica> {
  const replica = await new Replica(handle, ready).start(port);
  closers.push(() => replica.stop());
  return replica;
}

export async function frozen(): Promise<FrozenReplica> {
  const replica = await new FrozenReplica().start();
  closers.push(() => replica.stop());
  return replica;
}

export async function refusing(): Promise<string> {
  const replica = await replicaOf();
  replica.stop();
  return replica.url;
}

export async function clientOf(
  urls: readonly string[],
  options: { connections?: number; lostAfterMs?: number; nameForgottenMs?: number; observer?: AddressObserver } = {},
): Promise<HttpServiceClient> {
  const keys = generateInternalKeys();
  const tokens = await InternalTokens.create({
    service: 'gateway',
    signingKey: keys.signingKeys.gateway,
    jwks: keys.jwks,
    clock: systemClock,
  });
  const client = new HttpServiceClient({
    service: 'billing',
    urls,
    tokens,
    ...options,
  });
  closers.push(() => void client.close());
  return client;
}

/** Nothing can be connected to the address of everybody. */
export const UNROUTABLE = 'http://255.255.255.255:9';

export const call: ServiceRequest = { method: 'POST', path: '/calls', body: '{}', timeoutMs: 30_000 };

export type Outcome = number | 'unwritten' | 'written' | 'timeout';

export const outcomeOf = (answer: Promise<{ status: number }>): Promise<Outcome> =>
  answer.then(
    ({ status }) => status,
    (error: unknown) => {
      if (error instanceof UpstreamTimeout) return 'timeout';
      if (error instanceof UpstreamUnavailable) return error.requestWritten ? 'written' : 'unwritten';
      throw error;
    },
  );

/** A read whose answer is streamed. */
export const readOf = (): StreamedRequest => ({
  method: 'GET',
  path: '/reads',
  headers: {},
  idleTimeoutMs: 30_000,
  signal: new AbortController().signal,
});

export const drained = async ({ status, body }: StreamedResponse): Promise<{ status: number }> => {
  for await (const _chunk of body);
  return { status };
};
