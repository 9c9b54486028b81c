import { LRUCache } from 'lru-cache';
import type { ProviderDefinition } from '@capability-router/contracts';
import type { BreakerState } from './breaker.js';
import { ProviderChannel, type ChannelSettings } from './provider-channel.js';

export interface ProviderChannelsOptions extends ChannelSettings {
  /** Providers whose connections are kept at once; the one not used for longest goes first. Default 1,000. */
  readonly maxProviders?: number;
  readonly onBreakerChange?: (providerId: string, state: BreakerState) => void;
}

const DEFAULT_MAX_PROVIDERS = 1_000;

export interface BreakerReport {
  readonly providerId: string;
  readonly state: BreakerState;
}

/** One channel per provider, made on first use. A changed egress policy gets a new one: no connection outlives its rules. */
export class ProviderChannels {
  private readonly channels: LRUCache<string, { readonly policy: string; readonly channel: ProviderChannel }>;

  constructor(private readonly options: ProviderChannelsOptions = {}) {
    this.channels = new LRUCache({
      max: options.maxProviders ?? DEFAULT_MAX_PROVIDERS,
      // Calls under way end on the connections that they have.
      dispose: ({ channel }) => void channel.close().catch(() => undefined),
    });
  }

  /** Throws a `RangeError` where the provider's egress policy cannot be read. */
  of(provider: ProviderDefinition): ProviderChannel {
    const { providerId } = provider;
    const policy = JSON.stringify(provider.egress ?? {});
    const known = this.channels.get(providerId);
    if (known?.policy === policy) return known.channel;
    const channel = new ProviderChannel(provider, this.options, (state) =>
      this.options.onBreakerChange?.(providerId, state),
    );
    this.channels.set(providerId, { policy, channel });
    return channel;
  }

  /** The breakers of all providers that were called lately. */
  breakers(): BreakerReport[] {
    return [...this.channels.entries()].map(([providerId, { channel }]) => ({
      providerId,
      state: channel.breakerState,
    }));
  }

  /** Calls that run or wait, over all providers. */
  get inFlight(): number {
    return [...this.channels.values()].reduce((sum, { channel }) => sum + channel.inFlight, 0);
  }

  async close(): Promise<void> {
    const closing = [...this.channels.values()].map(({ channel }) => channel.destroy());
    this.channels.clear();
    await Promise.all(closing);
  }
}
