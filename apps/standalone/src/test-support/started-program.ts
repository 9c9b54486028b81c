import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { START_TIMEOUT_MS, pause } from './standalone-process.js';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** A process of standalone whose every word is kept, from its start to its end. */
export class StartedProgram {
  stdout = '';
  stderr = '';
  private readonly child: ChildProcess;
  private readonly closed: Promise<void>;

  constructor(env: NodeJS.ProcessEnv, args: readonly string[] = [], program = main) {
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (chunk: Buffer) => (this.stdout += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString('utf8')));
    this.closed = new Promise((resolve) => child.once('close', () => resolve()));
    this.child = child;
  }

  /** Throws where the process ends without having said it. */
  async until(said: string): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(this.stdout + this.stderr).includes(said)) {
      const { exitCode, signalCode } = this.child;
      if (exitCode !== null || signalCode !== null || Date.now() > deadline) {
        throw new Error(`it did not say "${said}" (${String(exitCode ?? signalCode)}): ${this.stdout}${this.stderr}`);
      }
      await pause(5);
    }
  }

  signal(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): void {
    this.child.kill(signal);
  }

  /** Exit code, or the signal that ended it. */
  async ended(): Promise<number | string | null> {
    await this.closed;
    return this.child.exitCode ?? this.child.signalCode;
  }
}

/** Command lines of the processes that name a folder; on Linux, elsewhere none. */
export function processesOf(folder: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    })
    .filter((line) => line.includes(folder));
}

/** Keys that stand more than once in the outermost object of a line of JSON; `JSON.parse` would keep the last. */
export function repeatedKeys(line: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  for (const [token, isKey] of line.matchAll(/[{}[\]]|"(?:[^"\\]|\\.)*"(\s*:)?/g)) {
    if ('{['.includes(token)) depth += 1;
    else if ('}]'.includes(token)) depth -= 1;
    else if (depth === 1 && isKey !== undefined) keys.push(token.slice(1, token.lastIndexOf('"')));
  }
  return keys.filter((key, index) => keys.indexOf(key) !== index);
}
