import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ToolContract } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { startExecution, type Answer, type RunningExecution } from './running-execution.js';
import { toolContract } from './tool-contract.js';

/** Two instances of execution on one database, and a provider on the loopback that counts what reaches it. */
export interface ReplicatedExecution {
  readonly first: RunningExecution;
  readonly replicas: readonly [RunningExecution, RunningExecution];
  /** Requests that reached the provider. */
  requests: number;
  answer: RequestListener;
  /** To either replica in turn. */
  send(key: string, body: unknown, options?: Parameters<RunningExecution['call']>[1]): Promise<Answer>;
  lookUp(key: string, account?: RunningExecution['account']): Promise<Answer>;
  eventCount(): Promise<number>;
  typesOf(executionId: unknown): Promise<string[]>;
  /** As it was at the start, but for what is on record. */
  reset(): void;
  stop(): Promise<void>;
}

const text = { en: 'A provider of a test' };
const parameters = { city: 'Bern' };

export const paid = (more: JsonObject = {}): JsonObject => ({ tool_id: 'weather.paid.get.v1', parameters, ...more });
export const free = (more: JsonObject = {}): JsonObject => ({ tool_id: 'weather.free.get.v1', parameters, ...more });
export const isReplay = (reply: Answer): boolean => reply.headers['idempotency-replayed'] === 'true';

export const answerAfter =
  (delayMs: number): RequestListener =>
  (_request, response) => {
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"degrees":21}'), delayMs);
  };

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

export async function startReplicatedExecution(): Promise<ReplicatedExecution> {
  const provider = createServer((request, response) => {
    world.requests += 1;
    world.answer(request, response);
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const { port } = provider.address() as AddressInfo;
  const noPrice = { amountMicroCredits: '0', metering: { kind: 'call' }, unitLabel: 'call' } as const;
  const first = await startExecution([tool(port, 'paid'), tool(port, 'free', { price: noPrice })]);
  const second = await first.replica();
  let turn = 0;
  const either = (): RunningExecution => ((turn += 1) % 2 === 0 ? first : second);
  const world: ReplicatedExecution = {
    first,
    replicas: [first, second],
    requests: 0,
    answer: answerAfter(0),
    send: (idempotencyKey, body, options = {}) => either().call(body, { ...options, idempotencyKey }),
    lookUp: (key, account) =>
      either().read(`/api/v1/tools/executions/by-idempotency-key?key=${encodeURIComponent(key)}`, account),
    eventCount: async () => {
      const { rows } = await first.database.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM events');
      return rows[0]?.n ?? 0;
    },
    typesOf: async (executionId) => {
      const sql = 'SELECT type FROM events WHERE stream_id = $1 ORDER BY sequence';
      return (await first.database.pool.query<{ type: string }>(sql, [executionId])).rows.map(({ type }) => type);
    },
    reset: () => {
      world.requests = 0;
      world.answer = answerAfter(0);
      first.billing.available = 10_000_000n;
      first.billing.holds.length = 0;
    },
    stop: async () => {
      await second.stop();
      await first.stop();
      await new Promise((resolve) => {
        provider.close(resolve);
        provider.closeAllConnections();
      });
    },
  };
  return world;
}

function tool(port: number, name: string, over: Partial<ToolContract> = {}): ToolContract {
  return toolContract({
    toolId: `weather.${name}.get.v1`,
    providerId: 'weather',
    provider: {
      providerId: 'weather',
      name: text,
      description: text,
      egress: { allowHttp: true, allowNetworks: ['127.0.0.1/32'] },
    },
    binding: {
      kind: 'http',
      method: 'POST',
      url: `http://127.0.0.1:${port}/${name}`,
      placements: {},
      auth: { kind: 'none' },
    },
    ...over,
  });
}
