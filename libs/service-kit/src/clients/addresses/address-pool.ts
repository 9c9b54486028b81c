import type { ContextName } from '@capability-router/contracts';
import { nameIn, ofOneFamily } from './look-up-name.js';
import type { LookUpName } from './look-up-name.js';
import { ServiceAddress } from './service-address.js';
import type { AddressObserver } from './service-address.js';

/** Milliseconds after which a name is looked up again, and at least between two times, whatever fails meanwhile. */
const LOOK_UP_EVERY_MS = 5_000;
const LOOK_UP_AT_MOST_EVERY_MS = 500;
/** Addresses of one name; the replicas of a service are far fewer. */
const MAX_ADDRESSES = 32;

export interface AddressPoolOptions {
  readonly service: ContextName;
  readonly urls: readonly string[];
  readonly connections: number;
  readonly lostAfterMs: number;
  readonly observer: AddressObserver | undefined;
  readonly lookUpName: LookUpName;
  /** Milliseconds; 5 s where absent. */
  readonly lookUpEveryMs?: number | undefined;
}

/** One of the configured URLs, and what its name stands for. */
interface Place {
  readonly url: string;
  readonly name: string | undefined;
  /** Several addresses, or one that was among several; empty: the URL as it stands is the address. */
  addresses: readonly string[];
}

/**
 * The addresses of a service. A name that stands for several, such as a headless Service of Kubernetes, counts as these, and is
 * looked up again every few seconds and when an address fails: who has left gets no new requests and ends those that it has, who
 * has joined gets its share. A name that stands for one address is used as it is, as is whatever was known when a look-up fails.
 */
export class AddressPool {
  private readonly places: readonly Place[];
  private readonly known = new Map<string, ServiceAddress>();
  private serving: readonly ServiceAddress[] = [];
  private timer: NodeJS.Timeout | undefined;
  private lookingUp = false;
  private lookedUpAtMs = -Infinity;
  private closed = false;
  private readonly leaving = new Set<Promise<void>>();

  constructor(private readonly options: AddressPoolOptions) {
    this.places = options.urls.map((url) => ({ url, name: nameIn(url), addresses: [] }));
    this.update();
    if (this.places.some(({ name }) => name !== undefined)) void this.lookUp();
  }

  /** At least one. */
  get addresses(): readonly ServiceAddress[] {
    return this.serving;
  }

  /** Requests that are under way are waited for. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await Promise.all([...this.serving.map((address) => address.close()), ...this.leaving]);
  }

  /** An address failed: its name may stand for another by now. */
  private readonly failed = (): void => {
    if (this.timer === undefined || this.lookingUp) return;
    this.lookUpAfter(Math.max(0, this.lookedUpAtMs + LOOK_UP_AT_MOST_EVERY_MS - performance.now()));
  };

  private lookUpAfter(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.lookUp(), ms);
    this.timer.unref();
  }

  private async lookUp(): Promise<void> {
    this.lookingUp = true;
    this.lookedUpAtMs = performance.now();
    await Promise.all(this.places.map((place) => this.lookUpPlace(place)));
    this.lookingUp = false;
    if (this.closed) return;
    this.update();
    this.lookUpAfter(this.options.lookUpEveryMs ?? LOOK_UP_EVERY_MS);
  }

  /** Never rejects. */
  private async lookUpPlace(place: Place): Promise<void> {
    if (place.name === undefined) return;
    const found = await this.options.lookUpName(place.name).catch((): string[] => []);
    const all = ofOneFamily(found);
    const stay = place.addresses.filter((address) => all.includes(address));
    const addresses = [...stay, ...all.filter((address) => !stay.includes(address))].slice(0, MAX_ADDRESSES);
    // Nobody says that there is none: a name server is away, or no replica is ready, which the replicas say better themselves.
    if (addresses.length === 0) return;
    place.addresses = addresses.length > 1 || stay.length === 1 ? addresses : [];
  }

  private update(): void {
    const { service, connections, lostAfterMs, observer } = this.options;
    const wanted = new Map<string, { url: string; address?: string }>();
    for (const { url, addresses } of this.places) {
      if (addresses.length === 0) wanted.set(url, { url });
      for (const address of addresses) wanted.set(`${url} at ${address}`, { url, address });
    }
    for (const [key, address] of this.known) {
      if (wanted.has(key)) continue;
      this.known.delete(key);
      const left = address.leave().finally(() => this.leaving.delete(left));
      this.leaving.add(left);
    }
    for (const [key, at] of wanted) {
      if (this.known.has(key)) continue;
      const { failed } = this;
      this.known.set(key, new ServiceAddress({ service, ...at, connections, lostAfterMs, observer, failed }));
    }
    this.serving = [...wanted.keys()].flatMap((key) => this.known.get(key) ?? []);
    for (const address of this.serving) address.alone = this.serving.length === 1;
  }
}
