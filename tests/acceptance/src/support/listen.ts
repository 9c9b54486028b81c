import type { Server } from 'node:http';

/** Milliseconds; longer than a deployment keeps an idle connection, so that no call meets one that is being closed. */
const KEEP_ALIVE_TIMEOUT_MS = 120_000;

/** Has a provider of a test listen on a free port of the loopback. */
export async function listen(server: Server): Promise<void> {
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}
