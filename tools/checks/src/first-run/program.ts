import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/** A program as a person runs it from a terminal, in a process group of its own, with what it said. */
export class Program {
  private readonly child: ChildProcess;
  private readonly chunks: string[] = [];
  private exitCode: number | undefined;
  private broken: Error | undefined;

  constructor(
    private readonly command: string,
    private readonly args: readonly string[],
    options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  ) {
    this.child = spawn(command, [...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => this.chunks.push(chunk));
    }
    this.child.once('error', (error) => (this.broken = error));
    this.child.once('close', (code) => (this.exitCode = code ?? 128));
    process.once('exit', () => {
      this.kill();
    });
  }

  /** Standard output and error, in the order in which they came. */
  get output(): string {
    return this.chunks.join('');
  }

  /** Waits for its end, which must be exit code 0, and gives what it said. */
  async succeeds(timeoutMs: number): Promise<string> {
    const code = await this.ended(timeoutMs);
    if (code !== 0) throw new Error(`${this.name} ended with ${code}\n${this.output}`);
    return this.output;
  }

  /** The exit code; 128 where a signal ended it. */
  async ended(timeoutMs: number): Promise<number> {
    await this.until('end', timeoutMs, () => this.exitCode !== undefined);
    return this.exitCode ?? 128;
  }

  async says(text: string, timeoutMs: number): Promise<void> {
    await this.until(`say "${text}"`, timeoutMs, () => this.output.includes(text) || this.exitCode !== undefined);
    if (!this.output.includes(text)) throw new Error(`${this.name} ended before it said "${text}"\n${this.output}`);
  }

  /** Does what Ctrl-C does: every process of the terminal gets SIGINT. */
  interrupt(): void {
    this.signal('SIGINT');
  }

  kill(): void {
    this.signal('SIGKILL');
  }

  private get name(): string {
    return [this.command, ...this.args].join(' ');
  }

  private signal(signal: NodeJS.Signals): void {
    if (this.exitCode !== undefined || this.child.pid === undefined) return;
    try {
      process.kill(-this.child.pid, signal);
    } catch {
      // It has just ended.
    }
  }

  private async until(what: string, timeoutMs: number, done: () => boolean): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!done()) {
      if (this.broken !== undefined) throw this.broken;
      if (performance.now() > deadline) throw new Error(`${this.name} did not ${what} in time\n${this.output}`);
      await sleep(POLL_MS);
    }
  }
}
