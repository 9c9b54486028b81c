import type { ContextName } from '@capability-router/contracts';
import type { LookUpName } from './look-up-name.js';
import { Place } from './place.js';
import { ServiceAddress, type AddressObserver } from './service-address.js';

export interface AddressPoolOptions {
  readonly service: ContextName;
  readonly urls: readonly string[];
  readonly connections: number;
  readonly lostAfterMs: number;
  /** Milliseconds; a minute where absent. */
  readonly nameForgottenMs?: number | undefined;
  readonly observer: AddressObserver | undefined;
  readonly lookUpName: LookUpName;
  /** Milliseconds; 5 s where absent. */
  readonly lookUpEveryMs?: number | undefined;
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
  private closed = false;
  private readonly leaving = new Set<Promise<void>>();

  constructor(private readonly options: AddressPoolOptions) {
    const { urls, lookUpName, lookUpEveryMs } = options;
    const lookedUp = (): void => this.update();
    this.places = urls.map((url) => new Place({ url, lookUpName, lookUpEveryMs, lookedUp }));
    this.update();
    for (const place of this.places) place.start();
  }

  /** At least one. */
  get addresses(): readonly ServiceAddress[] {
    return this.serving;
  }

  /** Requests that are under way are waited for. */
  async close(): Promise<void> {
    this.closed = true;
    for (const place of this.places) place.close();
    await Promise.all([...this.serving.map((address) => address.close()), ...this.leaving]);
  }

  private update(): void {
    if (this.closed) return;
    const { service, connections, lostAfterMs, nameForgottenMs, observer } = this.options;
    const wanted = new Map<string, { url: string; failed: () => void; address?: string }>();
    for (const { url, addresses, failed } of this.places) {
      if (addresses.length === 0) wanted.set(url, { url, failed });
      for (const address of addresses) wanted.set(`${url} at ${address}`, { url, failed, address });
    }
    for (const [key, address] of this.known) {
      if (wanted.has(key)) continue;
      this.known.delete(key);
      const left = address.leave().finally(() => this.leaving.delete(left));
      this.leaving.add(left);
    }
    for (const [key, at] of wanted) {
      if (this.known.has(key)) continue;
      this.known.set(key, new ServiceAddress({ service, ...at, connections, lostAfterMs, nameForgottenMs, observer }));
    }
    this.serving = [...wanted.keys()].flatMap((key) => this.known.get(key) ?? []);
    for (const address of this.serving) address.alone = this.serving.length === 1;
  }
}
