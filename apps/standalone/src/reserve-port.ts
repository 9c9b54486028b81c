import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEFAULT_PORT, type StandaloneConfig } from './config.js';
import { explainListenError, StartError } from './start-error.js';

/** A port that nobody else can take: it listens already, and tells who comes that the start is under way. */
export interface ReservedPort {
  readonly port: number;
  /** Leaves the port to the listener that it is meant for, which takes it at once. Safe to repeat. */
  release(): Promise<void>;
}

export interface ReservedPorts {
  readonly gateway: ReservedPort;
  readonly metrics: ReservedPort;
}

/** `/metrics` is for this machine alone. */
export const METRICS_HOST = '127.0.0.1';

/**
 * The ports to listen on, held until the services are there: a start takes seconds, in which others start too. Where the
 * operator named none for the gateway, 8080 is preferred and then any free port: a first run must not fail because
 * something else is there. Throws `StartError` where a named port is taken or the host is not ours.
 */
export async function reservePorts(config: StandaloneConfig): Promise<ReservedPorts> {
  const { HOST: host, PORT: wanted, METRICS_PORT: metricsPort } = config;
  const gateway = await reserveGatewayPort(host, wanted);
  try {
    return { gateway, metrics: await reserve(METRICS_HOST, metricsPort) };
  } catch (error) {
    await gateway.release();
    throw explained(error, { setting: 'METRICS_PORT', host: METRICS_HOST, port: metricsPort });
  }
}

async function reserveGatewayPort(host: string, wanted: number | undefined): Promise<ReservedPort> {
  const port = wanted ?? DEFAULT_PORT;
  try {
    return await reserve(host, port);
  } catch (error) {
    if (wanted === undefined && codeOf(error) === 'EADDRINUSE') return anyPort(host);
    throw explained(error, { setting: 'PORT', host, port });
  }
}

async function anyPort(host: string): Promise<ReservedPort> {
  try {
    return await reserve(host, 0);
  } catch (cause) {
    throw new StartError(`no port is free on ${host}: set HOST to another address`, { cause });
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** The reason why a listener failed, worded for people. */
export function explained(error: unknown, at: Parameters<typeof explainListenError>[1]): unknown {
  return error instanceof Error ? explainListenError(error, at) : error;
}

function reserve(host: string, port: number): Promise<ReservedPort> {
  const server = createServer((_request, response) => {
    response
      .writeHead(503, { 'content-type': 'application/json', 'retry-after': '1', connection: 'close' })
      .end(JSON.stringify({ status: 'not_ready', detail: 'starting' }));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      resolve({ port: (server.address() as AddressInfo).port, release: () => released(server) });
    });
  });
}

function released(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
