import { createServer } from 'node:net';
import { DEFAULT_PORT } from './config.js';
import { explainListenError, StartError } from './start-error.js';

/**
 * The port to listen on. Where the operator named none, 8080 is preferred and then any free port: a first run must not
 * fail because something else is there. Throws `StartError` where a named port is taken or the host is not ours.
 */
export async function choosePort(host: string, wanted: number | undefined): Promise<number> {
  const port = wanted ?? DEFAULT_PORT;
  try {
    return await tryPort(host, port);
  } catch (error) {
    if (wanted === undefined && codeOf(error) === 'EADDRINUSE') return anyPort(host);
    throw explained(error, { setting: 'PORT', host, port });
  }
}

/** Throws `StartError` where the port is taken, before anything else has been started. */
export async function requireFree(setting: 'METRICS_PORT', host: string, port: number): Promise<void> {
  try {
    await tryPort(host, port);
  } catch (error) {
    throw explained(error, { setting, host, port });
  }
}

async function anyPort(host: string): Promise<number> {
  try {
    return await tryPort(host, 0);
  } catch (cause) {
    throw new StartError(`no port is free on ${host}: set HOST to another address`, { cause });
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** The reason why a listener failed, worded for people. */
export function explained(error: unknown, at: Parameters<typeof explainListenError>[1]): unknown {
  return error instanceof Error ? explainListenError(error, at) : error;
}

function tryPort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ host, port, exclusive: true }, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}
