import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

export interface ConnectProxy {
  readonly port: number;
  /** The targets that were asked for, in order. */
  readonly asked: { readonly authority: string; readonly authorization: string | undefined }[];
  close(): Promise<void>;
}

/** A real proxy that wants credentials, and whose every tunnel leads to one port of the loopback. */
export async function startConnectProxy(targetPort: () => number): Promise<ConnectProxy> {
  const asked: ConnectProxy['asked'] = [];
  const proxy = createServer();
  proxy.on('connect', (request, socket) => {
    const authorization = request.headers['proxy-authorization'];
    asked.push({ authority: request.url ?? '', authorization });
    if (authorization === undefined) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const upstream = connect(targetPort(), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    port: (proxy.address() as AddressInfo).port,
    asked,
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}
