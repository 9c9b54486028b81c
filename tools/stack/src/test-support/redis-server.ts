import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis, type RedisOptions } from 'ioredis';
import { freePort } from '../system/free-ports.js';
import { findProgram } from '../system/programs.js';
import type { Certificate } from './certificates.js';

const POLL_MS = 20;

/** A process of the machine's Redis. */
export interface RedisServer {
  readonly port: number;
  /** A connection with the options that the server was started with, for what the test does as its operator. */
  readonly admin: Redis;
  /** Ends it without a word, as the loss of a machine would. */
  kill(): Promise<void>;
  /** Does nothing where it was killed. */
  stop(): Promise<void>;
}

export interface RedisServerOptions {
  readonly folder: string;
  /** Lines of its configuration, without a port where `portSetting` is another. */
  readonly lines: readonly string[];
  readonly portSetting?: 'port' | 'tls-port';
  readonly sentinel?: boolean;
  /** How its operator connects. */
  readonly admin?: RedisOptions;
}

/** Lines for TLS with a certificate by which servers know each other, too; clients may have none. */
export const tlsLines = ({ cert, key }: Certificate, caFile: string): string[] => [
  `tls-cert-file "${cert}"`,
  `tls-key-file "${key}"`,
  `tls-ca-cert-file "${caFile}"`,
  'tls-auth-clients optional',
  'tls-replication yes',
];

/** Starts one on a port of its own, without persistence, and waits until it answers. */
export async function startRedisServer(options: RedisServerOptions): Promise<RedisServer> {
  const program = findProgram('redis-server');
  if (program === undefined) throw new Error('redis-server is not installed: apt-get install redis-server');
  const port = await freePort();
  const { folder, lines, portSetting = 'port', sentinel = false } = options;
  const file = join(folder, `redis-${port}.conf`);
  const own = sentinel ? [] : ['save ""', 'appendonly no'];
  const ports = portSetting === 'port' ? [`port ${port}`] : ['port 0', `${portSetting} ${port}`];
  writeFileSync(file, [...ports, 'bind 127.0.0.1', `dir "${folder}"`, ...own, ...lines, ''].join('\n'));
  const child = spawn(program, [file, ...(sentinel ? ['--sentinel'] : [])], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const admin = new Redis({
    ...options.admin,
    host: '127.0.0.1',
    port,
    lazyConnect: true,
    retryStrategy: () => POLL_MS,
  });
  admin.on('error', () => undefined);
  void admin.connect().catch(() => undefined);
  while (admin.status !== 'ready') {
    if (child.exitCode !== null)
      throw new Error(`redis-server ended at its start with code ${child.exitCode}: ${file}`);
    await pause(POLL_MS);
  }
  const end = async (): Promise<void> => {
    admin.disconnect();
    child.kill('SIGKILL');
    await ended;
  };
  return { port, admin, kill: end, stop: end };
}
