import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Demo } from '../demo.js';

/** Milliseconds; a machine under load takes its time. */
export const START_TIMEOUT_MS = 60_000;

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
    const started = spawn(process.execPath, [main], {
      env: { ...process.env, DATA_DIR: this.dataDir, PORT: '', LOG_LEVEL: 'warn', ...env },
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

/** `data` of an answer in the envelope. */
export async function read(demo: Demo, path: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${demo.base_url}${path}`, { headers: { authorization: `Bearer ${demo.api_key}` } });
  return ((await answer.json()) as { data: Record<string, unknown> }).data;
}
