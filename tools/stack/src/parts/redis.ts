import { mkdirSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { startDaemon, untilAnswers } from '../system/daemon.js';
import { freePort } from '../system/free-ports.js';
import { findProgram, OperatorError } from '../system/programs.js';
import type { RunningPart } from '../stack-state.js';

const startTimeoutMs = 60_000;
const answerTimeoutMs = 5_000;

export function redisUrl(port: number, password: string): string {
  return `redis://:${password}@127.0.0.1:${port}/0`;
}

/** Starts the machine's Redis without persistence: it holds limits and caches only. */
export async function startRedis(directory: string, password: string, wishedPort?: number): Promise<RunningPart> {
  const program = findProgram('redis-server') ?? findProgram('valkey-server');
  if (program === undefined) {
    throw new OperatorError('Redis is not installed. Run: apt-get install postgresql redis-server');
  }
  const folder = join(directory, 'redis');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const port = await freePort(wishedPort);
  const logFile = join(directory, 'logs', 'redis.log');
  const configFile = join(folder, 'redis.conf');
  // In a file rather than on the command line, which every user of the machine can read.
  const lines = [`port ${port}`, 'bind 127.0.0.1', `requirepass ${password}`, 'save ""', 'appendonly no'];
  writeFileSync(configFile, [...lines, `dir "${folder}"`, ''].join('\n'), { mode: 0o600 });
  const process = await startDaemon(program, [configFile], logFile);
  await untilAnswers('Redis', process, logFile, () => redisAnswers(port, password), startTimeoutMs);
  return { process, port };
}

export function redisAnswers(port: number, password: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port, timeout: answerTimeoutMs });
    let answer = '';
    const finish = (): void => {
      socket.destroy();
      resolve(answer.includes('+PONG'));
    };
    socket.once('connect', () => socket.write(`AUTH ${password}\r\nPING\r\n`));
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      if (answer.includes('+PONG') || answer.includes('-')) finish();
    });
    socket.once('error', finish);
    socket.once('timeout', finish);
    socket.once('close', finish);
  });
}
