import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A TCP proxy on the loopback that can fall silent: as a host that is gone, or a firewall that has forgotten a connection,
 * it passes nothing on and tells nobody. New connections are taken, as by a kernel, and stay silent too.
 */
export class SilentProxy {
  private silent = false;
  private unanswered: string | undefined;
  private isLast = false;
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((inward) => this.join(inward));

  private constructor(
    private readonly host: string,
    private readonly port: number,
  ) {}

  /** In front of the server that `url` names. */
  static async before(url: string): Promise<SilentProxy> {
    const { hostname, port } = new URL(url);
    const proxy = new SilentProxy(hostname, Number(port));
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  /** The same URL, through the proxy. */
  urlOf(url: string): string {
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String((this.server.address() as AddressInfo).port);
    return through.href;
  }

  fallSilent(): void {
    this.silent = true;
    for (const socket of this.sockets) socket.pause();
  }

  /** For new connections; those from before stay silent for ever. */
  speakAgain(): void {
    this.silent = false;
  }

  /**
   * The next request that holds this text reaches the server, which does what it says; its answer is lost with the connection. `isLast`:
   * from then on the server is away.
   */
  loseAnswerTo(text: string, { isLast = false } = {}): void {
    this.unanswered = text;
    this.isLast = isLast;
  }

  /** As a server that is away: connections break, and new ones are refused. */
  refuse(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  private join(inward: Socket): void {
    this.keep(inward);
    if (this.silent) {
      inward.pause();
      return;
    }
    const outward = connect(this.port, this.host);
    this.keep(outward);
    let losesAnswer = false;
    inward.on('data', (bytes) => {
      if (this.unanswered === undefined || !bytes.includes(this.unanswered)) return;
      this.unanswered = undefined;
      losesAnswer = true;
    });
    outward.on('data', () => {
      if (!losesAnswer) return;
      inward.resetAndDestroy();
      if (this.isLast) this.refuse();
    });
    for (const [from, to] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      from.on('data', (bytes) => to.write(bytes));
      // Whoever hangs up on a silent host is not heard either.
      from.on('close', () => {
        if (!this.silent) to.destroy();
      });
    }
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
  }
}
