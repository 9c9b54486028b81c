import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Demo } from '../demo.js';

/** Milliseconds; a machine under load takes its time. */
export const START_TIMEOUT_MS = 180_000;

/** Below the ports that systems give out by themselves: none of these is taken between the choice and its use. */
const PORTS = { from: 20_000, below: 32_000 } as const;

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Standalone as `npm start` runs it, on a data folder of its own that outlives the process. */
export class StandaloneProcess {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'standalone-test-'));
  private child: ChildProcess | undefined;
  private readonly printed: string[] = [];

  /** Everything that was printed, by every process so far. */
  get log(): string {
    return this.printed.join('');
  }

  /** Resolves when the banner is printed, so when the first call would be accepted. */
  async start(env: NodeJS.ProcessEnv = {}): Promise<Demo> {
    const own = {
      DATA_DIR: this.dataDir,
      PORT: String(await freePort()),
      LOG_LEVEL: 'warn',
      // Calls are counted here, and verification makes some of its own.
      VERIFICATION_INTERVAL_HOURS: '0',
      // Tests ask again and again for what comes about a moment later.
      RATE_LIMIT_READ: '100000',
      // A busy machine counts a list in more than the usual time; that a count is given up is tested elsewhere.
      PAGE_TIMEOUT_MS: '8000',
    };
    const started = spawn(process.execPath, [main], {
      env: { ...process.env, ...own, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.child = started;
    let output = '';
    started.stdout.on('data', (chunk: Buffer) => {
      const text = chunk.toString('utf8');
      output += text;
      this.printed.push(text);
    });
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!output.includes('Stop with Ctrl-C')) {
      if (started.exitCode !== null || Date.now() > deadline) throw new Error(`standalone did not start: ${output}`);
      await pause(50);
    }
    return JSON.parse(readFileSync(join(this.dataDir, 'demo.json'), 'utf8')) as Demo;
  }

  async signal(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.child?.kill(signal);
    await this.ended();
  }

  async ended(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise((resolve) => child.once('exit', resolve));
  }

  async remove(): Promise<void> {
    await this.signal('SIGTERM');
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

/**
 * A free port. Standalone listens on it only when all else has started, and other tests start servers meanwhile; its own
 * choice, 8080, would be the same for two that start side by side.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.below);
    const probe = createServer();
    const free = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}

/** `data` of an answer in the envelope. */
export async function read(demo: Demo, path: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${demo.base_url}${path}`, { headers: { authorization: `Bearer ${demo.api_key}` } });
  const body = (await answer.json()) as { data: Record<string, unknown> };
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(body)}`);
  return body.data;
}
