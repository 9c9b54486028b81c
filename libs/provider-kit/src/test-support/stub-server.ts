import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';

export interface StubServer {
  readonly port: number;
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  /** Connections that were opened to it so far. */
  readonly connections: () => number;
  /** Requests that reached it so far, as `METHOD /path`. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** A real HTTP server on the loopback. */
export async function startStub(listener: RequestListener, host = '127.0.0.1', port = 0): Promise<StubServer> {
  const requests: string[] = [];
  let connections = 0;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    requests.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  // Milliseconds; a connection is there to be used again however slow the machine is.
  server.keepAliveTimeout = 60_000;
  server.on('connection', () => (connections += 1));
  // A stub may be told to break its connections.
  server.on('clientError', () => undefined);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const { port: bound } = server.address() as AddressInfo;
  return {
    port: bound,
    origin: `http://${host}:${bound}`,
    connections: () => connections,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface TcpStub {
  readonly port: number;
  readonly origin: string;
  close(): Promise<void>;
}

/** A server that speaks whatever the test wants. */
export async function startTcpStub(onSocket: (socket: Socket) => void): Promise<TcpStub> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export const sendJson = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
