import { spawn, type SpawnOptions } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, stillRuns, type ProcessIdentity } from './process-identity.js';

const quotedLines = 20;
const pollMs = 50;

/** Starts a process that outlives this one, with its output appended to a file. */
export async function startDaemon(
  file: string,
  args: readonly string[],
  logFile: string,
  options: SpawnOptions = {},
): Promise<ProcessIdentity> {
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(file, [...args], { ...options, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.unref();
  if (child.pid === undefined) throw new Error(`${file} did not start`);
  return identify(child.pid);
}

/**
 * Waits until the process answers.
 * @throws Error with the end of its log when it ends first, or does not answer in time.
 */
export async function untilAnswers(
  name: string,
  process: ProcessIdentity,
  logFile: string,
  answers: () => Promise<boolean>,
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await answers().catch(() => false))) {
    const why = !stillRuns(process)
      ? 'ended'
      : performance.now() > deadline
        ? `did not answer in ${timeoutMs / 1000} s`
        : '';
    if (why !== '') throw new Error(`${name} ${why}. The end of ${logFile}:\n${endOf(logFile)}`);
    await sleep(pollMs);
  }
}

export function endOf(logFile: string): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-quotedLines).join('\n');
}
