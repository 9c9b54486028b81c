import { isIP, type LookupFunction } from 'node:net';
import { Pool } from 'undici';
import type { ContextName } from '@capability-router/contracts';
import {
  BASE_EJECTION_MS,
  ejected,
  ejectionMs,
  MAX_EJECTION_MS,
  readmitted,
  wellSinceStart,
  type AddressHealth,
  type EjectionReason,
} from './address-health.js';
import { AddressOwner } from './address-owner.js';
import { AnswerTimes } from './answer-times.js';
import { probe } from './probe.js';

/** Milliseconds for a connection; within one cluster it takes single ones. */
const CONNECT_TIMEOUT_MS = 1_000;
/** Milliseconds an idle connection is kept; less than our servers keep one, so that none is closed under a request. */
const KEEP_ALIVE_MS = 30_000;
/** Milliseconds of silence after which what was written to an address counts as lost; a lease of execution lapses in 15 s. */
export const LOST_AFTER_MS = 10_000;

/** A probe was not answered either; `lost`: for so long that what was written to the address counts as lost. */
type OnSilence = (lost: boolean) => void;

/** Hears of what happens to addresses, for logs and metrics. */
export interface AddressObserver {
  ejected(service: ContextName, url: string, reason: EjectionReason): void;
  readmitted(service: ContextName, url: string): void;
  /** One that is left out is not the service's any more. */
  left(service: ContextName, url: string): void;
}

export interface ServiceAddressOptions {
  readonly service: ContextName;
  readonly url: string;
  /** The one of those that the name in the URL stands for; absent: the machine resolves it for each connection. */
  readonly address?: string;
  readonly connections: number;
  readonly lostAfterMs: number;
  readonly nameForgottenMs?: number | undefined;
  readonly observer: AddressObserver | undefined;
  /** Called when a request or a probe found that it does not serve. */
  readonly failed?: () => void;
}

/** One address of a service: its connections, whether it serves, and how long its answers take. */
export class ServiceAddress {
  readonly pool: Pool;
  readonly times = new AnswerTimes();
  readonly owner: AddressOwner;
  health: AddressHealth = wellSinceStart;
  /** There is no other address to go to: nothing is left out, and nothing probed. */
  alone = false;
  private readonly onSilence = new Set<OnSilence>();
  private readonly probes: Pool;
  private probing = false;
  private nextProbe: NodeJS.Timeout | undefined;
  private leaving = false;
  private closed = false;

  constructor(private readonly options: ServiceAddressOptions) {
    this.owner = new AddressOwner(options.service, options.nameForgottenMs);
    this.pool = poolOf(options, options.connections);
    // Probes have a connection of their own, so that one never waits behind the requests that it is to explain.
    this.probes = poolOf(options, 1);
  }

  /** For people. */
  private get name(): string {
    const { url, address } = this.options;
    return address === undefined ? url : `${url} at ${address}`;
  }

  get suspected(): boolean {
    return this.probing && this.health.out === undefined;
  }

  /** A request was served: whatever a probe has found is over. */
  served(): void {
    if (this.health.out === undefined) return;
    clearTimeout(this.nextProbe);
    this.readmit();
  }

  /** The address did not serve. It is left out, and probed until it does. */
  eject(reason: EjectionReason): void {
    if (this.closed) return;
    this.options.failed?.();
    if (this.alone || this.health.out !== undefined) return;
    this.health = ejected(this.health, reason, performance.now());
    if (!this.leaving) this.options.observer?.ejected(this.options.service, this.name, reason);
    this.probeAfter(ejectionMs(this.health));
  }

  /** An answer is late, or a connection broke: a probe finds out whether the address serves. */
  suspect(): void {
    if (!this.alone && this.health.out === undefined) void this.probeNow();
  }

  /** Tells of silence until the function that it returns is called. */
  watch(onSilence: OnSilence): () => void {
    this.onSilence.add(onSilence);
    return () => this.onSilence.delete(onSilence);
  }

  /**
   * No request begins here any more. Resolves when those that are under way have ended; until then probes say whether they
   * count as lost.
   */
  async leave(): Promise<void> {
    if (this.health.out !== undefined) this.options.observer?.left(this.options.service, this.name);
    this.leaving = true;
    this.alone = false;
    const ended = this.pool.close();
    // One that nothing is asked of has ended by then.
    this.probeAfter(BASE_EJECTION_MS);
    await ended;
    await this.endProbes();
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.close(), this.endProbes()]);
  }

  private endProbes(): Promise<void> {
    this.closed = true;
    clearTimeout(this.nextProbe);
    return this.probes.destroy();
  }

  private probeAfter(ms: number): void {
    clearTimeout(this.nextProbe);
    this.nextProbe = setTimeout(() => void this.probeNow(), ms);
    this.nextProbe.unref();
  }

  private async probeNow(): Promise<void> {
    if (this.probing || this.closed) return;
    this.probing = true;
    const found = await probe(this.probes, this.owner);
    this.probing = false;
    this.learn(found);
  }

  private learn(found: 'ready' | EjectionReason): void {
    if (this.closed) return;
    if (found === 'ready') {
      this.readmit();
      if (this.leaving) this.probeAfter(MAX_EJECTION_MS);
      return;
    }
    if (this.health.out === undefined) this.eject(found);
    else {
      this.health = ejected(this.health, found, performance.now());
      this.probeAfter(ejectionMs(this.health));
    }
    if (found !== 'silent') return;
    const lost = this.health.outMs >= this.options.lostAfterMs;
    for (const tell of [...this.onSilence]) tell(lost);
  }

  private readmit(): void {
    if (this.health.out === undefined) return;
    this.health = readmitted(this.health, performance.now());
    if (!this.leaving) this.options.observer?.readmitted(this.options.service, this.name);
  }
}

function poolOf({ url, address }: ServiceAddressOptions, connections: number): Pool {
  return new Pool(url, {
    // The name stays in the URL, and so in the header `Host` and in what a certificate is held against.
    ...(address === undefined ? {} : { connect: { lookup: alwaysAt(address) } }),
    connections,
    pipelining: 1,
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    // The deadline of an exchange and the size of its answer are kept by whoever sends it; a stream is of any size.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** Resolves every name to one address. */
const alwaysAt = (address: string): LookupFunction => {
  const family = isIP(address);
  return (_hostname, { all }, found) => {
    if (all === true) found(null, [{ address, family }]);
    else found(null, address, family);
  };
};
