import { spawn, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

/** A public MCP server package, as its file. */
export const everythingServer = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);

/**
 * Node closes a connection that nobody has used for 5 s, which on a slow machine happens just as it is used again. This is
 * about what is said on connections.
 */
const keepsConnections = `data:text/javascript,${encodeURIComponent(`
  import http from 'node:http';
  const { createServer } = http;
  http.createServer = (...parts) => Object.assign(createServer(...parts), { keepAliveTimeout: 600_000 });
`)}`;

export interface EverythingServer {
  readonly url: string;
  readonly port: number;
  /** Sessions that were started with it so far. */
  readonly sessions: () => number;
  stop(): Promise<void>;
}

/** Runs the server over streamable HTTP, on `port` or one that is free. */
export async function startEverythingServer(port?: number): Promise<EverythingServer> {
  const at = port ?? (await freePort());
  let sessions = 0;
  const child = spawn(process.execPath, ['--import', keepsConnections, everythingServer, 'streamableHttp'], {
    env: { PATH: process.env['PATH'], PORT: String(at) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const started = new Promise<void>((resolve, reject) => {
    const onLine = (line: string): void => {
      if (line.startsWith('Session initialized')) sessions += 1;
      if (line.includes('listening on port')) resolve();
    };
    createInterface({ input: child.stdout }).on('line', onLine);
    createInterface({ input: child.stderr }).on('line', onLine);
    child.once('exit', (code) => reject(new Error(`server-everything ended with ${code}`)));
  });
  await started;
  return {
    url: `http://127.0.0.1:${at}/mcp`,
    port: at,
    sessions: () => sessions,
    stop: () => ended(child),
  };
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
