import { createServer } from 'node:net';
import { DEFAULT_PORT } from './config.js';

/**
 * The port to listen on. Where the operator named none, 8080 is preferred and then any free port: a first run must not
 * fail because something else is there. Throws where a named port is taken.
 */
export async function choosePort(host: string, wanted: number | undefined): Promise<number> {
  const port = await tryPort(host, wanted ?? DEFAULT_PORT);
  if (port !== undefined) return port;
  if (wanted !== undefined) throw new Error(`port ${wanted} is taken: set PORT to a free one, or leave it unset`);
  const free = await tryPort(host, 0);
  if (free === undefined) throw new Error(`no port is free on ${host}`);
  return free;
}

/** Resolves to undefined where the port is taken. */
function tryPort(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    probe.listen({ host, port, exclusive: true }, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}
