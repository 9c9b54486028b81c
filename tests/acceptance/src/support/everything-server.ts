import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.js';

/** A public MCP server package from npm, run as its readme says, over streamable HTTP. */
export interface EverythingServer {
  readonly url: string;
  stop(): void;
}

const MAX_ATTEMPTS = 5;
const file = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

export async function startEverythingServer(): Promise<EverythingServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOn(await freePort());
    } catch (error) {
      // Somebody else may have taken the port meanwhile.
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function startOn(port: number): Promise<EverythingServer> {
  const child = spawn(process.execPath, [file, 'streamableHttp'], {
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    const onLine = (line: string): void => {
      if (line.includes('listening on port')) resolve();
    };
    createInterface({ input: child.stdout }).on('line', onLine);
    createInterface({ input: child.stderr }).on('line', onLine);
    child.once('exit', (code) => reject(new Error(`the MCP server ended with ${code}`)));
  });
  return { url: `http://127.0.0.1:${port}/mcp`, stop: () => void child.kill('SIGKILL') };
}
