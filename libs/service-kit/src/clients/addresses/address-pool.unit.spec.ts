import { lookup } from 'node:dns/promises';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { internalHeaders } from '@capability-router/contracts';
import { systemClock } from '@capability-router/kernel';
import { generateInternalKeys } from '../../tokens/generate-keys.js';
import { InternalTokens } from '../../tokens/internal-tokens.js';
import { FrozenReplica, Replica, type Handler } from '../../testing/replica.js';
import { delay } from '../../util/timing.js';
import { HttpServiceClient } from '../http-service-client.js';
import { UpstreamUnavailable, type ServiceRequest } from '../service-client.js';
import type { AddressObserver } from './service-address.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const none = (): void => undefined;
/** Requests of which one begins at each address. */
const MOST_REQUESTS = 100;
const NAME = 'billing.test';
const call: ServiceRequest = { method: 'POST', path: '/calls', body: '{}', timeoutMs: 30_000 };

/** The answer of a name server for the only name there is; the machine's own answers would be of no use here. */
class Names {
  asked = 0;

  constructor(
    public addresses: readonly string[] | Error,
    readonly name = NAME,
  ) {}

  private held: Promise<readonly string[]> | undefined;

  readonly lookUp = (hostname: string): Promise<readonly string[]> => {
    this.asked += 1;
    if (this.held !== undefined) return this.held;
    if (hostname !== this.name || this.addresses instanceof Error) return Promise.reject(new Error(`${hostname}?`));
    return Promise.resolve(this.addresses);
  };

  /** Until `answer` is called, nobody answers; then it is said what was said before. */
  holdAnswers(): { answer: () => void } {
    const held = { answer: (): void => undefined };
    const { addresses } = this;
    this.held = new Promise((resolve) => {
      held.answer = () => {
        this.held = undefined;
        resolve(addresses instanceof Error ? [] : addresses);
      };
    });
    return held;
  }

  async askedAgain(): Promise<void> {
    // The answer to the second question from now on was given to whoever asked after now.
    const before = this.asked;
    while (this.asked < before + 2) await delay(5);
  }
}

/** As replicas of one service in pods of their own: one port, an address each. */
async function started<T extends Replica | FrozenReplica>(replica: T, host: string, port = 0): Promise<T> {
  await replica.start(port, host);
  closers.push(() => replica.stop());
  return replica;
}

async function clientOf(
  names: Names,
  port: number,
  options: {
    lookUpEveryMs?: number;
    lostAfterMs?: number;
    observer?: AddressObserver;
    also?: string[];
    silent?: string;
  } = {},
) {
  const keys = generateInternalKeys();
  const signingKey = keys.signingKeys.gateway;
  const tokens = await InternalTokens.create({ service: 'gateway', signingKey, jwks: keys.jwks, clock: systemClock });
  const { also = [], silent, ...rest } = options;
  const urls = [`http://${names.name}:${port}`, ...also];
  const client = new HttpServiceClient({
    service: 'billing',
    urls,
    tokens,
    lookUpName: (name) => (name === silent ? new Promise(() => undefined) : names.lookUp(name)),
    lookUpEveryMs: 20,
    ...rest,
  });
  closers.push(() => void client.close());
  return client;
}

const statusOf = async (client: HttpServiceClient): Promise<number> => (await client.request(call)).status;

async function statuses(client: HttpServiceClient, times: number): Promise<Set<number>> {
  const seen = new Set<number>();
  for (let i = 0; i < times; i += 1) seen.add(await statusOf(client));
  return seen;
}

/** Every request reached one of them, once, and none was passed over; where one connects late, another takes its turn. */
function expectShares(total: number, replicas: readonly Replica[]): void {
  const seen = replicas.map((replica) => replica.seen);
  expect(seen.reduce((sum, one) => sum + one, 0)).toBe(total);
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(total / replicas.length / 2);
}

/** Where the machine itself connects to under its own name. */
const localhost = async (): Promise<string> => (await lookup('localhost')).address;

describe('a name that stands for several addresses', () => {
  it('is as many replicas, each of which gets its share, under the name that was asked for', async () => {
    const hosts: (string | undefined)[] = [];
    const handle: Handler = (request, response) => {
      hosts.push(request.headers.host);
      response.end('{}');
    };
    const first = await started(new Replica(handle), '127.0.0.1');
    const second = await started(new Replica(handle), '127.0.0.2', first.port);
    const names = new Names(['127.0.0.2', '127.0.0.1', '::1']);
    const client = await clientOf(names, first.port);
    await names.askedAgain();
    expect(await statuses(client, 20)).toEqual(new Set([200]));
    expectShares(20, [first, second]);
    expect(new Set(hosts)).toEqual(new Set([`${NAME}:${first.port}`]));
  });

  it('has a replica left out that is not ready, or frozen, and used again when it is back', async () => {
    const first = await started(new Replica(), '127.0.0.1');
    const frozen = await started(new FrozenReplica(), '127.0.0.2', first.port);
    const names = new Names(['127.0.0.1', '127.0.0.2']);
    const client = await clientOf(names, first.port);
    await names.askedAgain();
    const read: ServiceRequest = { method: 'GET', path: '/reads', timeoutMs: 30_000 };
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.request(read)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    frozen.stop();
    const back = await started(new Replica(), '127.0.0.2', first.port);
    while (back.seen === 0) expect(await statusOf(client)).toBe(200);
  });

  it('loses addresses and gets others; who leaves ends the requests that it has', async () => {
    const held: ServerResponse[] = [];
    const leaving = await started(new Replica((_request, response) => held.push(response)), '127.0.0.1');
    const staying = await started(new Replica(), '127.0.0.2', leaving.port);
    const joining = await started(new Replica(), '127.0.0.3', leaving.port);
    const names = new Names(['127.0.0.1', '127.0.0.2']);
    const client = await clientOf(names, leaving.port);
    await names.askedAgain();
    const answers: Promise<number>[] = [];
    while (leaving.seen === 0 && answers.length < 100) {
      answers.push(statusOf(client));
      for (let waits = 0; waits < 2_000 && leaving.seen + staying.seen < answers.length; waits += 1) await delay(5);
    }
    names.addresses = ['127.0.0.3', '127.0.0.2'];
    await names.askedAgain();
    staying.seen = 0;
    expect(await statuses(client, 20)).toEqual(new Set([200]));
    expect(leaving.seen).toBe(1);
    expectShares(20, [staying, joining]);
    for (const response of held) response.end('{}');
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
  });

  it('gives up what was written to an address that left and is silent', async () => {
    const address = await localhost();
    const frozen = await started(new FrozenReplica(), address);
    await started(new Replica(), '127.0.0.2', frozen.port);
    await started(new Replica(), '127.0.0.3', frozen.port);
    const names = new Names([address], 'localhost');
    const client = await clientOf(names, frozen.port, { lostAfterMs: 100 });
    // Alone, it is not even probed.
    const written = client.request(call).catch((error: unknown) => error);
    await frozen.connected;
    names.addresses = ['127.0.0.2', '127.0.0.3'];
    await names.askedAgain();
    expect(await statusOf(client)).toBe(200);
    expect(await written).toMatchObject({ name: UpstreamUnavailable.name, requestWritten: true });
  });

  it('keeps what was known while nobody says what it stands for', async () => {
    const first = await started(new Replica(), '127.0.0.1');
    const second = await started(new Replica(), '127.0.0.2', first.port);
    const names = new Names(['127.0.0.1', '127.0.0.2']);
    const client = await clientOf(names, first.port);
    await names.askedAgain();
    for (const addresses of [new Error('the name server is away'), []]) {
      names.addresses = addresses;
      await names.askedAgain();
      expect(await statuses(client, 10)).toEqual(new Set([200]));
    }
    expectShares(20, [first, second]);
  });

  it('is looked up soon after an address failed, and stands beside addresses that are named', async () => {
    const first = await started(new Replica(), '127.0.0.1');
    const second = await started(new Replica(), '127.0.0.2', first.port);
    const named = await started(new Replica(), '127.0.0.4');
    const names = new Names(['127.0.0.1', '127.0.0.2']);
    const client = await clientOf(names, first.port, { lookUpEveryMs: 3_600_000, also: [named.url] });
    while (second.seen === 0) expect(await statusOf(client)).toBe(200);
    names.addresses = ['127.0.0.1', '127.0.0.3'];
    second.stop();
    const third = await started(new Replica(), '127.0.0.3', first.port);
    while (third.seen === 0) expect(await statusOf(client)).toBe(200);
    expect(named.seen).toBeGreaterThan(0);
  });

  it('is looked up again where an address failed while it was being looked up', async () => {
    const first = await started(new Replica(), '127.0.0.2');
    const second = await started(new Replica(), '127.0.0.3', first.port);
    const names = new Names([], 'localhost');
    const held = names.holdAnswers();
    const client = await clientOf(names, first.port, { lookUpEveryMs: 3_600_000 });
    // Nobody listens where the machine itself connects to.
    await expect(client.request(call)).rejects.toThrow(UpstreamUnavailable);
    names.addresses = ['127.0.0.2', '127.0.0.3'];
    held.answer();
    while (names.asked < 2) await delay(5);
    while (second.seen === 0) await client.request(call).catch(() => delay(5));
    expect(names.asked).toBe(2);
  });

  it('stands for its addresses also while nobody answers about another name of the service', async () => {
    const first = await started(new Replica(), '127.0.0.1');
    const second = await started(new Replica(), '127.0.0.2', first.port);
    const names = new Names(['127.0.0.1', '127.0.0.2']);
    const keepsSilent = `http://silent.test:${first.port}`;
    const client = await clientOf(names, first.port, { also: [keepsSilent], silent: 'silent.test' });
    await names.askedAgain();
    for (let sent = 0; sent < MOST_REQUESTS && second.seen === 0; sent += 1) await client.request(call).catch(none);
    expect(second.seen).toBeGreaterThan(0);
  });

  it('is used as it is where it stands for one alone: there is no other to go to', async () => {
    const notReady: Handler = (_request, response) =>
      response.writeHead(503, { [internalHeaders.availability]: 'not_ready' }).end();
    const address = await localhost();
    const replica = await started(new Replica(notReady, false), address);
    const ejected: string[] = [];
    const names = new Names([address], 'localhost');
    const observer = { ejected: (_of: string, url: string) => void ejected.push(url), readmitted: none, left: none };
    const client = await clientOf(names, replica.port, { observer });
    await names.askedAgain();
    expect(await statuses(client, 5)).toEqual(new Set([503]));
    expect([replica.seen, ejected]).toEqual([5, []]);
  });

  it('is at most 32 of them, of which those that are in use stay', async () => {
    const replica = await started(new Replica(), '127.0.0.1');
    const ejected = new Set<string>();
    const observer: AddressObserver = {
      ejected: (_service, url) => ejected.add(url),
      readmitted: none,
      left: none,
    };
    const names = new Names(['127.0.0.1', '127.0.1.200']);
    const client = await clientOf(names, replica.port, { observer });
    await names.askedAgain();
    names.addresses = ['127.0.0.1', '127.0.1.200', ...Array.from({ length: 100 }, (_none, i) => `127.0.1.${i + 1}`)];
    await names.askedAgain();
    while (ejected.size < 31) expect(await statusOf(client)).toBe(200);
    expect(await statuses(client, 50)).toEqual(new Set([200]));
    expect(ejected.size).toBe(31);
    expect([...ejected]).toContain(`http://${NAME}:${replica.port} at 127.0.1.200`);
  });
});
