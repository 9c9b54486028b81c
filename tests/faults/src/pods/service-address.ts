import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/**
 * A Service with an address of its own. Each connection is led to one of the pods that are known to be ready, in turn, and stays with it,
 * as kube-proxy does. Where there is none, or it does not take the connection, the connection is broken.
 */
export class ServiceAddress {
  /** Addresses of pods. */
  endpoints: readonly string[] = [];
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private turn = 0;

  constructor(
    readonly address: string,
    readonly port: number,
    private readonly targetPort: number,
  ) {
    this.server = createServer({ allowHalfOpen: true }, (socket) => this.lead(socket));
  }

  async listen(): Promise<void> {
    this.server.listen(this.port, this.address);
    await once(this.server, 'listening');
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private lead(client: Socket): void {
    this.keep(client);
    const host = this.endpoints[this.turn % this.endpoints.length];
    this.turn += 1;
    if (host === undefined) {
      client.destroy();
      return;
    }
    const pod = connect({ host, port: this.targetPort, allowHalfOpen: true });
    this.keep(pod);
    for (const [from, to] of [
      [client, pod],
      [pod, client],
    ] as const) {
      from.setNoDelay(true);
      from.on('error', () => to.destroy());
      from.once('close', () => to.destroySoon());
      from.pipe(to);
    }
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }
}
