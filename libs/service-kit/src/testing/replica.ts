import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { internalHeaders } from '@capability-router/contracts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const LOOPBACK = '127.0.0.1';

/** A real server that answers `/readyz` with 200, and everything else as it is told. */
export class Replica {
  /** Requests, without those for `/readyz`. */
  seen = 0;
  url = '';
  port = 0;
  /** The service that it says it is, on every answer; undefined: it says nothing. */
  name: string | undefined;
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();

  constructor(
    public handle: Handler = (_request, response) => response.end('{}'),
    public ready = true,
  ) {}

  async start(port = 0, host = LOOPBACK): Promise<this> {
    this.server = createServer((request, response) => {
      request.resume();
      if (this.name !== undefined) response.setHeader(internalHeaders.answeredBy, this.name);
      if (request.url === '/readyz') {
        response.writeHead(this.ready ? 200 : 503).end();
        return;
      }
      this.seen += 1;
      this.handle(request, response);
    });
    this.server.on('connection', (socket) => this.sockets.add(socket));
    this.server.listen(port, host);
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
    this.url = `http://${host}:${this.port}`;
    return this;
  }

  stop(): void {
    this.server?.close();
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }
}

/** As a process that is stopped by SIGSTOP: the kernel takes connections and bytes, and nothing comes back. */
export class FrozenReplica {
  url = '';
  port = 0;
  private readonly sockets: Socket[] = [];
  private readonly server = createTcpServer((socket) => this.sockets.push(socket.on('error', () => undefined)));
  /** Resolves when the first connection has come. */
  readonly connected = once(this.server, 'connection');

  async start(port = 0, host = LOOPBACK): Promise<this> {
    this.server.listen(port, host);
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
    this.url = `http://${host}:${this.port}`;
    return this;
  }

  /** Its process is gone. */
  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}
