import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { workspaceRoot } from './workspace.js';

/** Milliseconds. */
const STOP_TIMEOUT_MS = 20_000;
const POLL_MS = 20;
/** Characters of a process's output that are kept for an error message. */
const OUTPUT_TAIL_LENGTH = 8_000;

/** A process of ours that talks by messages. It ends when this process does, and is only ever ended by its id. */
export class Child {
  private readonly child: ChildProcess;
  private output = '';
  private readonly inbox: unknown[] = [];

  constructor(
    readonly name: string,
    program: string,
    options: { readonly env?: NodeJS.ProcessEnv; readonly execArgv?: readonly string[] } = {},
  ) {
    this.child = fork(program, [], {
      cwd: workspaceRoot,
      env: { ...process.env, ...options.env },
      execArgv: [...(options.execArgv ?? [])],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output = (this.output + chunk.toString('utf8')).slice(-OUTPUT_TAIL_LENGTH);
      });
    }
    this.child.on('message', (message) => this.inbox.push(message));
    process.once('exit', this.kill);
  }

  private readonly kill = (): void => {
    this.child.kill('SIGKILL');
  };

  get pid(): number {
    const { pid } = this.child;
    if (pid === undefined) throw new Error(`${this.name} did not start`);
    return pid;
  }

  private get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  send(message: object): void {
    this.child.send(message);
  }

  /** The next message. @throws Error with the end of its output where the process ends or stays silent. */
  async receive<T>(timeoutMs: number): Promise<T> {
    await this.until(() => this.inbox.length > 0, timeoutMs, 'send a message');
    return this.inbox.shift() as T;
  }

  /** Everything that came, after waiting for something at most so long. @throws Error where the process has ended. */
  async receiveAll<T>(waitMs: number): Promise<T[]> {
    if (this.inbox.length === 0) await sleep(waitMs);
    if (this.inbox.length === 0 && this.hasEnded) throw new Error(`${this.name} ended\n${this.output}`);
    return this.inbox.splice(0) as T[];
  }

  /** Polls a condition while the process lives. */
  async until(condition: () => boolean | Promise<boolean>, timeoutMs: number, what: string): Promise<void> {
    const deadlineMs = performance.now() + timeoutMs;
    while (!(await condition())) {
      if (this.hasEnded || performance.now() > deadlineMs) {
        throw new Error(`${this.name} did not ${what}: ${this.hasEnded ? 'it ended' : 'too late'}\n${this.output}`);
      }
      await sleep(POLL_MS);
    }
  }

  async stop(): Promise<void> {
    process.off('exit', this.kill);
    if (this.hasEnded) return;
    const ended = new Promise<void>((resolve) => this.child.once('exit', () => resolve()));
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
  }
}
