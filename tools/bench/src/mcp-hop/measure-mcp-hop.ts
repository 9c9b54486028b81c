import { randomBytes } from 'node:crypto';
import { formatApiKey } from '@capability-router/kernel';
import { generateInternalKeys } from '@capability-router/service-kit';
import { Child } from '../child.js';
import type { HopJob, Listening, UpstreamUrls } from '../gateway-hop/hop-process.js';
import { clean } from '../load/rounds.js';
import { LoadGenerator } from '../load/run-load.js';
import { medianOf } from '../statistics.js';
import { benchProgram } from '../workspace.js';
import { doors, requestOf, requests, type Door, type ToolName } from './doors.js';

/** So many that none of them reaches the 120 searches of a minute. */
const API_KEYS = 600;
const ROUNDS = 5;
const REQUESTS_PER_ROUND = 2_000;
const WARM_UP_CONNECTIONS = 32;
const START_TIMEOUT_MS = 20_000;

export interface DoorRow {
  readonly tool: ToolName;
  readonly door: Door;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Beyond REST, in the same round. */
  readonly addedP50Ms: number;
}

type Round = Readonly<Record<Door, { readonly p50Ms: number; readonly p99Ms: number }>>;

/** One request after the other by REST and by each revision of MCP, turn about, through a gateway before services without work. */
export async function measureMcpHop(): Promise<readonly DoorRow[]> {
  const keys = generateInternalKeys();
  const upstream = new Child('the upstream', benchProgram('gateway-hop/upstream-process.js'));
  const gateway = new Child('the gateway', benchProgram('gateway-hop/gateway-process.js'));
  const load = new LoadGenerator();
  try {
    const upstreamUrls = await started<UpstreamUrls>(upstream, { keys });
    const { url: origin } = await started<Listening>(gateway, { keys, upstreamUrls });
    const rows: DoorRow[] = [];
    for (const tool of Object.keys(requests) as ToolName[]) rows.push(...(await measureTool(tool, load, origin)));
    return rows;
  } finally {
    await Promise.all([load.stop(), gateway.stop(), upstream.stop()]);
  }
}

async function measureTool(tool: ToolName, load: LoadGenerator, origin: string): Promise<readonly DoorRow[]> {
  const rounds: Round[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const results: Partial<Record<Door, Round[Door]>> = {};
    for (const door of doors) {
      // New keys, or a window of a minute would end; each is known to the gateway before it is measured.
      const apiKeys = Array.from({ length: API_KEYS }, () => formatApiKey(randomBytes(14).toString('hex')));
      const job = { ...requestOf(tool)[door], method: 'POST', origin, keys: apiKeys } as const;
      await load.run({ ...job, connections: WARM_UP_CONNECTIONS, amount: API_KEYS });
      results[door] = clean(await load.run({ ...job, connections: 1, amount: REQUESTS_PER_ROUND }));
    }
    // The first round warms up.
    if (round > 0) rounds.push(results as Round);
  }
  return doors.map((door) => ({
    tool,
    door,
    p50Ms: medianOf(rounds, (round) => round[door].p50Ms),
    p99Ms: medianOf(rounds, (round) => round[door].p99Ms),
    addedP50Ms: medianOf(rounds, (round) => round[door].p50Ms - round.REST.p50Ms),
  }));
}

function started<T>(child: Child, job: HopJob): Promise<T> {
  child.send(job);
  return child.receive<T>(START_TIMEOUT_MS);
}
