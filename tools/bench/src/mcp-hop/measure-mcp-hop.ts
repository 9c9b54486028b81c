import { randomBytes } from 'node:crypto';
import { formatApiKey } from '@capability-router/kernel';
import { generateInternalKeys } from '@capability-router/service-kit';
import { Child } from '../child.js';
import type { HopJob, Listening, UpstreamUrls } from '../gateway-hop/hop-process.js';
import type { LoadJob } from '../load/load-job.js';
import { clean } from '../load/rounds.js';
import { LoadGenerator } from '../load/run-load.js';
import { medianOf } from '../statistics.js';
import { benchProgram } from '../workspace.js';

/** So many that none of them reaches 200 calls a minute. */
const API_KEYS = 600;
const ROUNDS = 5;
const REQUESTS_PER_ROUND = 2_000;
const WARM_UP_CONNECTIONS = 32;
const START_TIMEOUT_MS = 20_000;

const parameters = { expression: 'sqrt(a^2 + b^2)', variables: { a: 3, b: 4 } };
const call = { tool_id: 'formula.expression.evaluate.v1', parameters };
const accept = 'application/json, text/event-stream';

const message = (meta?: object): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'call', arguments: call, ...(meta === undefined ? {} : { _meta: meta }) },
  });

const revision = '2026-07-28';
/** The same call by each door. */
const doors: Readonly<Record<string, Pick<LoadJob, 'path' | 'body' | 'moreHeaders'>>> = {
  REST: { path: '/api/v1/tools/execute', body: JSON.stringify(call) },
  'MCP 2025-11-25': {
    path: '/mcp',
    body: message(),
    moreHeaders: { accept, 'mcp-protocol-version': '2025-11-25' },
  },
  'MCP 2026-07-28': {
    path: '/mcp',
    body: message({
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }),
    moreHeaders: { accept, 'mcp-protocol-version': revision, 'mcp-method': 'tools/call', 'mcp-name': 'call' },
  },
};

export interface DoorRow {
  readonly door: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Beyond REST, in the same round. */
  readonly addedP50Ms: number;
}

/** One call after the other by REST and by each revision of MCP, turn about, through a gateway before a service without work. */
export async function measureMcpHop(): Promise<readonly DoorRow[]> {
  const keys = generateInternalKeys();
  const upstream = new Child('the upstream', benchProgram('gateway-hop/upstream-process.js'));
  const gateway = new Child('the gateway', benchProgram('gateway-hop/gateway-process.js'));
  const load = new LoadGenerator();
  try {
    const upstreamUrls = await started<UpstreamUrls>(upstream, { keys });
    const { url: origin } = await started<Listening>(gateway, { keys, upstreamUrls });
    const rounds: Record<string, { readonly p50Ms: number; readonly p99Ms: number }>[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const results: (typeof rounds)[number] = {};
      for (const [door, asked] of Object.entries(doors)) {
        // New keys, or a window of a minute would end; each is known to the gateway before it is measured.
        const apiKeys = Array.from({ length: API_KEYS }, () => formatApiKey(randomBytes(14).toString('hex')));
        const job = { ...asked, method: 'POST', origin, keys: apiKeys } as const;
        await load.run({ ...job, connections: WARM_UP_CONNECTIONS, amount: API_KEYS });
        results[door] = clean(await load.run({ ...job, connections: 1, amount: REQUESTS_PER_ROUND }));
      }
      // The first round warms up.
      if (round > 0) rounds.push(results);
    }
    return Object.keys(doors).map((door) => ({
      door,
      p50Ms: medianOf(rounds, (round) => round[door]?.p50Ms ?? Number.NaN),
      p99Ms: medianOf(rounds, (round) => round[door]?.p99Ms ?? Number.NaN),
      addedP50Ms: medianOf(
        rounds,
        (round) => (round[door]?.p50Ms ?? Number.NaN) - (round['REST']?.p50Ms ?? Number.NaN),
      ),
    }));
  } finally {
    await Promise.all([load.stop(), gateway.stop(), upstream.stop()]);
  }
}

function started<T>(child: Child, job: HopJob): Promise<T> {
  child.send(job);
  return child.receive<T>(START_TIMEOUT_MS);
}
