import { delay, type ServiceClients } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { CLIENTS, STEADY_MS } from '../tokens.js';
import { IdentityClock } from './identity-clock.js';
import type { SteadyMs } from './steady-clock.js';

/** Ready means that the clock of identity agrees with its database's. */
const PATH = '/readyz';
const TIMEOUT_MS = 2_000;

/**
 * Asks identity what time it is while no report of the replica does: reports begin when it reads what is revoked, which
 * takes as long as the broker is away, and calls are served before.
 */
@Injectable()
export class ClockProbe {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    @Inject(CLIENTS) private readonly clients: Pick<ServiceClients, 'identity'>,
    @Inject(STEADY_MS) private readonly steadyMs: SteadyMs,
    @Inject(IdentityClock) private readonly identityClock: IdentityClock,
  ) {}

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      // While identity is away nothing is decided, and nothing is served that needs it.
      await this.ask().catch(() => undefined);
      await delay(this.identityClock.untilNextLookMs(), signal);
    }
  }

  private async ask(): Promise<void> {
    const sentAtMs = this.steadyMs();
    const request = { method: 'GET', path: PATH, timeoutMs: TIMEOUT_MS } as const;
    const { status, headers } = await this.clients.identity.request(request);
    if (status === 200) this.identityClock.heard(String(headers['date']), sentAtMs, this.steadyMs());
  }
}
