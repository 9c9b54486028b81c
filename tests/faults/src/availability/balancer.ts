import { pause } from '../load.js';

const PROBE_PAUSE_MS = 250;
const PROBE_TIMEOUT_MS = 2_000;

/** Knows which gateways take requests, by `/readyz`, as what balances before them does. */
export class Balancer {
  private readonly ready: Set<string>;
  private readonly closing = new AbortController();
  private readonly probes: readonly Promise<void>[];

  constructor(private readonly origins: readonly string[]) {
    this.ready = new Set(origins);
    this.probes = origins.map((origin) => this.probe(origin));
  }

  /** Those that take requests in turn; all where none does, as what is refused anywhere may be refused by anyone. */
  choose(turn: number): string {
    const among = this.ready.size === 0 ? this.origins : [...this.ready];
    return among[turn % among.length] ?? '';
  }

  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.probes);
  }

  private async probe(origin: string): Promise<void> {
    while (!this.closing.signal.aborted) {
      if (await isReady(origin)) this.ready.add(origin);
      else this.ready.delete(origin);
      await pause(PROBE_PAUSE_MS);
    }
  }
}

async function isReady(origin: string): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}
