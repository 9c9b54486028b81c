import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems hand to outgoing connections: a process that was killed finds its port free again when
 * it comes back.
 */
const firstPort = 20_000;
const lastPort = 31_999;
/** The ports that this process was given. Nobody may listen there yet, so parts that start side by side would get the same. */
const given = new Set<number>();

/** Distinct free loopback ports, none twice in this process. Those wished for come first where they are free. */
export async function freePorts(count: number, wished: readonly number[] = []): Promise<number[]> {
  const found: number[] = [];
  const start = firstPort + Math.floor(Math.random() * (lastPort - firstPort));
  const range = lastPort - firstPort + 1;
  const candidates = [...wished];
  for (let step = 0; step < range; step += 1) {
    const port = firstPort + ((start - firstPort + step) % range);
    if (!wished.includes(port)) candidates.push(port);
  }
  for (const port of candidates) {
    if (found.length === count) return found;
    if (given.has(port) && !wished.includes(port)) continue;
    given.add(port);
    if (await isFree(port)) found.push(port);
  }
  throw new Error(`Fewer than ${count} free ports between ${firstPort} and ${lastPort}`);
}

export async function freePort(wished?: number): Promise<number> {
  const [port] = await freePorts(1, wished === undefined ? [] : [wished]);
  if (port === undefined) throw new Error('No free port');
  return port;
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    probe.listen(port, '127.0.0.1');
    await once(probe, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    await new Promise<void>((resolve) => {
      probe.close(() => {
        resolve();
      });
    });
  }
}
