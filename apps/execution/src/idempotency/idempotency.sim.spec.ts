import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ToolContract } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { SeededRandom, seedOfRun } from '../test-support/random.js';
import { startExecution, type Answer, type RunningExecution } from '../test-support/running-execution.js';
import { toolContract } from '../test-support/tool-contract.js';
import { sweepIdempotencyKeys } from './key-store.sql.js';

const GROUPS = 150;
/** Some histories take longer until everything has happened in them. */
const MAX_GROUPS = 1_500;
const MAX_PARALLEL = 8;
const KEYS = 12;
const text = { en: 'A provider of a test' };

/** The kind of a request; `bad` is refused before dispatch, `broken` fails at its provider. */
const kinds = ['paid', 'other', 'free', 'broken', 'bad'] as const;
type Kind = (typeof kinds)[number];

let provider: Server;
let execution: RunningExecution;
let replica: RunningExecution;
/** Requests that reached the provider, by key and how often the key was forgotten before. */
const dispatched = new Map<string, number>();

function tool(name: string, over: Partial<ToolContract> = {}): ToolContract {
  const { port } = provider.address() as AddressInfo;
  return toolContract({
    toolId: `sim.${name}.get.v1`,
    providerId: `sim-${name}`,
    provider: {
      providerId: `sim-${name}`,
      name: text,
      description: text,
      egress: { allowHttp: true, allowNetworks: ['127.0.0.1/32'] },
    },
    binding: {
      kind: 'http',
      method: 'POST',
      url: `http://127.0.0.1:${port}/${name}/{city}`,
      placements: { city: { in: 'path' } },
      auth: { kind: 'none' },
    },
    ...over,
  });
}

beforeAll(async () => {
  provider = createServer((request, response) => {
    const [, name, id = ''] = (request.url ?? '').split('/');
    dispatched.set(id, (dispatched.get(id) ?? 0) + 1);
    const answer = (): void => {
      response.writeHead(name === 'broken' ? 404 : 200, { 'content-type': 'application/json' }).end('{"degrees":21}');
    };
    setTimeout(answer, 5);
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const free = { amountMicroCredits: '0', metering: { kind: 'call' }, unitLabel: 'call' } as const;
  execution = await startExecution([tool('paid'), tool('free', { price: free }), tool('broken')]);
  replica = await execution.replica();
}, 60_000);
afterAll(async () => {
  await replica.stop();
  await execution.stop();
  await new Promise((resolve) => {
    provider.close(resolve);
    provider.closeAllConnections();
  });
});

function bodyOf(kind: Kind, id: string): JsonObject {
  const name = kind === 'other' || kind === 'bad' ? 'paid' : kind;
  const parameters = kind === 'bad' ? {} : { city: id };
  return { tool_id: `sim.${name}.get.v1`, parameters, ...(kind === 'other' ? { max_response_size: 1_000 } : {}) };
}

const countOf = async (sql: string): Promise<number> =>
  (await execution.database.pool.query<{ n: number }>(sql)).rows[0]?.n ?? 0;
const events = (): Promise<number> => countOf('SELECT count(*)::int AS n FROM events');

describe('keys, by random histories on two replicas', () => {
  it('dispatch one request each; replays and refusals of the moment write nothing', async () => {
    const random = new SeededRandom(seedOfRun());
    console.info(`TEST_SEED=${random.seed}`);
    /** The first answer of each key that is bound, and which request it was. */
    const bound = new Map<string, { kind: Kind; body: JsonObject }>();
    const generation = new Map<string, number>();
    const seen = { ran: 0, replayed: 0, running: 0, refused: 0, short: 0 };
    let expectedEvents = await events();

    const hasNotHappened = (): boolean => Object.values(seen).includes(0);
    for (let group = 0; group < GROUPS || (hasNotHappened() && group < MAX_GROUPS); group += 1) {
      const credits = random.below(5) > 0;
      execution.billing.available = credits ? 10_000_000n : 0n;
      const holdsBefore = execution.billing.holds.length;
      // Few keys at a time, so that requests meet.
      const keys = [`k${random.below(KEYS)}`, `k${random.below(KEYS)}`] as const;
      const requests = Array.from({ length: 1 + random.below(MAX_PARALLEL) }, () => {
        const key = random.pick([...keys]);
        const kind = random.pick([...kinds]);
        const id = `${key}-${generation.get(key) ?? 0}`;
        return {
          key,
          kind,
          id,
          replies: random.pick([execution, replica]).call(bodyOf(kind, id), { idempotencyKey: key }),
        };
      });
      const before = new Map(bound);
      const outcomes = await Promise.all(
        requests.map(async ({ replies, ...rest }) => ({ ...rest, reply: await replies })),
      );
      // Who ran first, so that the answers of the others can be judged by it.
      for (const { key, kind, reply } of outcomes) {
        if (reply.status !== 200 || isReplay(reply)) continue;
        expect(bound.has(key)).toBe(false);
        bound.set(key, { kind, body: reply.body });
        seen.ran += 1;
        expectedEvents += 2;
      }
      for (const { key, kind, reply } of outcomes) {
        const first = bound.get(key);
        if (reply.status === 200 && isReplay(reply)) {
          expect({ kind, body: reply.body }).toEqual(first);
          seen.replayed += 1;
        } else if (reply.status === 409) {
          // Nobody is told to wait for a call that had ended before.
          expect(before.has(key)).toBe(false);
          seen.running += 1;
        } else if (reply.status === 422) {
          expect(
            kind === 'bad' ||
              outcomes.some((other) => other.key === key && other.kind !== kind) ||
              first?.kind !== kind,
          ).toBe(true);
          seen.refused += 1;
          expectedEvents += 1;
        } else if (reply.status === 402) {
          expect(credits).toBe(false);
          seen.short += 1;
          expectedEvents += 2;
        }
        expect([200, 402, 409, 422]).toContain(reply.status);
      }
      const paid = outcomes.filter(({ kind, reply }) => reply.status === 200 && !isReplay(reply) && kind !== 'free');
      expect(execution.billing.holds.length - holdsBefore).toBe(paid.length);
      expect(await events()).toBe(expectedEvents);
      for (const [id, count] of dispatched) expect({ id, count }).toEqual({ id, count: 1 });

      if (random.below(10) === 0) {
        const [forgotten] = keys;
        await execution.database.pool.query('UPDATE idempotency_keys SET expires_at = now() WHERE key = $1', [
          forgotten,
        ]);
        if (random.below(2) === 0) await sweepIdempotencyKeys(execution.database.pool);
        bound.delete(forgotten);
        generation.set(forgotten, (generation.get(forgotten) ?? 0) + 1);
      }
    }
    for (const [what, times] of Object.entries(seen))
      expect({ what, happened: times > 0 }).toEqual({ what, happened: true });
    expect(await countOf('SELECT count(*)::int AS n FROM running_executions')).toBe(0);
  }, 300_000);
});

const isReplay = (reply: Answer): boolean => reply.headers['idempotency-replayed'] === 'true';
