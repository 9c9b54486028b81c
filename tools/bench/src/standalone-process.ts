import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { npmStartOptions } from '@capability-router/tools-stack';
import { Child } from './child.js';
import type { LiveHeap } from './machine/live-heap.js';
import { freePort } from './ports.js';
import { postmasterPid } from './settlement/embedded-site.js';
import { benchProgram, workspaceRoot } from './workspace.js';

const READY_TIMEOUT_MS = 60_000;
const COLLECTION_TIMEOUT_MS = 30_000;

export interface Demo {
  readonly base_url: string;
  readonly api_key: string;
  readonly admin_key: string;
}

export interface StandaloneOptions {
  /** It also holds the program that answers `liveHeapBytes`. */
  readonly tellsLiveHeap?: boolean;
  /** Over the usual variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Standalone as `npm start` runs it but for verification, on a data folder of the caller's. */
export class StandaloneProcess {
  private constructor(
    private readonly child: Child,
    private readonly dataDir: string,
    readonly origin: string,
    /** From before the process was started to its first ready answer. */
    readonly readyMs: number,
    readonly startedAtMs: number,
  ) {}

  static async start(dataDir: string, options: StandaloneOptions = {}): Promise<StandaloneProcess> {
    const liveHeap = ['--import', pathToFileURL(benchProgram('machine/live-heap.js')).href];
    const port = await freePort();
    const startedAtMs = performance.now();
    const child = new Child('standalone', join(workspaceRoot, 'apps/standalone/dist/main.js'), {
      // Verification pays for calls of its own, half a minute after the start: the books are to hold those of the bench alone.
      env: {
        DATA_DIR: dataDir,
        PORT: String(port),
        LOG_LEVEL: 'error',
        VERIFICATION_INTERVAL_HOURS: '0',
        ...options.env,
      },
      execArgv: [
        '--import',
        pathToFileURL(join(workspaceRoot, 'apps/standalone/bin/source-maps.mjs')).href,
        ...npmStartOptions(),
        ...(options.tellsLiveHeap === true ? liveHeap : []),
      ],
    });
    const origin = `http://127.0.0.1:${port}`;
    try {
      await child.until(() => isReady(origin), READY_TIMEOUT_MS, 'become ready');
    } catch (error) {
      await child.stop();
      throw error;
    }
    return new StandaloneProcess(child, dataDir, origin, performance.now() - startedAtMs, startedAtMs);
  }

  get pid(): number {
    return this.child.pid;
  }

  get postgresPid(): number {
    return postmasterPid(this.dataDir);
  }

  demo(): Demo {
    return JSON.parse(readFileSync(join(this.dataDir, 'demo.json'), 'utf8')) as Demo;
  }

  /** Superuser URL of billing's database: the bench reads it, to check the books. */
  billingDatabaseUrl(): string {
    const file = join(this.dataDir, 'postgres-credentials.json');
    const { administrator } = JSON.parse(readFileSync(file, 'utf8')) as { administrator: string };
    const pidFile = join(this.dataDir, 'postgres', 'data', 'postmaster.pid');
    if (!existsSync(pidFile)) throw new Error('the database of standalone does not run');
    const port = readFileSync(pidFile, 'utf8').split('\n')[3] ?? '';
    return `postgres://capability_router_admin:${administrator}@127.0.0.1:${port}/capability_router_billing`;
  }

  /** The bytes that its main thread holds after a full collection, which this makes it do. */
  async liveHeapBytes(): Promise<number> {
    this.child.send({});
    return (await this.child.receive<LiveHeap>(COLLECTION_TIMEOUT_MS)).liveHeapBytes;
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

async function isReady(origin: string): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/readyz`);
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
