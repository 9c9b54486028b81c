import { Agent, get, type IncomingMessage } from 'node:http';
import { systemClock, type AccountId } from '@capability-router/kernel';
import { InternalTokens } from '@capability-router/service-kit';
import { Child } from '../child.js';
import { memory } from '../machine/processes.js';
import { benchProgram } from '../workspace.js';
import type { ReaderJob, ReaderReady } from './reader-job.js';

const START_TIMEOUT_MS = 60_000;
/** Milliseconds between two looks at the memory of billing while it exports. */
const SAMPLE_MS = 50;
const NEWLINE = 10;

export interface Timed {
  readonly ms: number;
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Export {
  readonly rows: number;
  readonly seconds: number;
  /** Highest resident memory of billing's process, bytes. */
  readonly peakBytes: number;
}

/** One process of billing, asked over HTTP as the gateway asks it. */
export class Reader {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  private constructor(
    private readonly child: Child,
    private readonly origin: string,
    private readonly gateway: InternalTokens,
  ) {}

  static async start(job: ReaderJob): Promise<Reader> {
    const child = new Child('billing', benchProgram('history/reader-process.js'));
    child.send(job);
    const { origin, gatewayKey, jwks } = await child.receive<ReaderReady>(START_TIMEOUT_MS);
    const tokens = { service: 'gateway', signingKey: gatewayKey, jwks, clock: systemClock } as const;
    return new Reader(child, origin, await InternalTokens.create(tokens));
  }

  async stop(): Promise<void> {
    this.agent.destroy();
    await this.child.stop();
  }

  /** From the request to the last byte. */
  async get(accountId: string, path: string): Promise<Timed> {
    const headers = await this.headers(accountId);
    const startedMs = performance.now();
    const response = await this.open(path, headers);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const ms = performance.now() - startedMs;
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { data?: Timed['data'] };
    return { ms, status: response.statusCode ?? 0, data: body.data ?? {} };
  }

  async export(accountId: string, path: string): Promise<Export> {
    const headers = await this.headers(accountId);
    let peakBytes = 0;
    const sampler = setInterval(() => {
      peakBytes = Math.max(peakBytes, memory(this.child.pid).rss);
    }, SAMPLE_MS);
    try {
      const startedMs = performance.now();
      const response = await this.open(path, headers);
      let lines = 0;
      for await (const chunk of response) lines += linesIn(chunk as Buffer);
      const seconds = (performance.now() - startedMs) / 1_000;
      if (response.statusCode !== 200) throw new Error(`the export was answered ${String(response.statusCode)}`);
      return { rows: lines - 1, seconds, peakBytes };
    } finally {
      clearInterval(sampler);
    }
  }

  private async headers(accountId: string): Promise<Record<string, string>> {
    const assertion = {
      accountId: accountId as AccountId,
      accountKind: 'formal',
      credentialType: 'api_key',
      scopes: [],
    } as const;
    return {
      authorization: `Bearer ${await this.gateway.serviceToken('billing')}`,
      'x-account-assertion': await this.gateway.signAssertion(assertion),
    };
  }

  private open(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      get(`${this.origin}/api/v1${path}`, { agent: this.agent, headers }, resolve).once('error', reject);
    });
  }
}

/** Counted without a step for each byte, which would take more of the machine than the export does. */
function linesIn(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}
