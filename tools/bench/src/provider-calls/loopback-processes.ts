import { Child } from '../child.js';
import { cpuSeconds } from '../machine/processes.js';
import { benchProgram } from '../workspace.js';

const START_TIMEOUT_MS = 20_000;

/** The first message of either process, when it listens. */
export interface Listening {
  readonly origin: string;
}

export interface ProxyJob {
  /** Origin of the provider. */
  readonly upstream: string;
}

/** Counts of the requests with one delay, since the provider was started. */
export interface ProviderCounts {
  readonly answered: number;
  /** Requests that are not answered yet. */
  readonly waiting: number;
  readonly mostWaiting: number;
}

/** The provider and a plain reverse proxy before it, a process each. */
export interface LoopbackProcesses {
  readonly providerOrigin: string;
  readonly proxyOrigin: string;
  /** CPU seconds so far. */
  readonly cpu: () => Readonly<Record<'provider' | 'reverse proxy', number>>;
  readonly counts: (delayMs: number) => Promise<ProviderCounts>;
}

export async function withLoopbackProcesses<T>(work: (processes: LoopbackProcesses) => Promise<T>): Promise<T> {
  const provider = new Child('the provider', benchProgram('provider-calls/provider-process.js'));
  const proxy = new Child('the reverse proxy', benchProgram('provider-calls/proxy-process.js'));
  try {
    const { origin: providerOrigin } = await provider.receive<Listening>(START_TIMEOUT_MS);
    proxy.send({ upstream: providerOrigin } satisfies ProxyJob);
    const { origin: proxyOrigin } = await proxy.receive<Listening>(START_TIMEOUT_MS);
    return await work({
      providerOrigin,
      proxyOrigin,
      cpu: () => ({ provider: cpuSeconds(provider.pid), 'reverse proxy': cpuSeconds(proxy.pid) }),
      counts: async (delayMs) =>
        (await (await fetch(`${providerOrigin}/after/${delayMs}/counts`)).json()) as ProviderCounts,
    });
  } finally {
    await Promise.all([proxy.stop(), provider.stop()]);
  }
}
