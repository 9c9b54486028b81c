import { nameIn, ofOneFamily, type LookUpName } from './look-up-name.js';

/** Milliseconds after which a name is looked up again, and at least between two times, whatever fails meanwhile. */
const LOOK_UP_EVERY_MS = 5_000;
const LOOK_UP_AT_MOST_EVERY_MS = 500;
/** Addresses of one name; the replicas of a service are far fewer. */
const MAX_ADDRESSES = 32;

export interface PlaceOptions {
  readonly url: string;
  readonly lookUpName: LookUpName;
  /** Milliseconds; 5 s where absent. */
  readonly lookUpEveryMs?: number | undefined;
  /** Called after each look-up. */
  readonly lookedUp: () => void;
}

/**
 * One of the configured URLs, and what its name stands for. The name is looked up every few seconds and when an address of
 * the place fails, whatever becomes of other names.
 */
export class Place {
  readonly url: string;
  private readonly name: string | undefined;
  private found: readonly string[] = [];
  private timer: NodeJS.Timeout | undefined;
  private lookingUp = false;
  private failures = 0;
  private lookedUpAtMs = -Infinity;
  private closed = false;

  constructor(private readonly options: PlaceOptions) {
    this.url = options.url;
    this.name = nameIn(options.url);
  }

  /** Several addresses, or one that was among several; empty: the URL as it stands is the address. */
  get addresses(): readonly string[] {
    return this.found;
  }

  /** Goes on until it is closed. */
  start(): void {
    if (this.name !== undefined) void this.lookUp(this.name);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** An address failed: the name may stand for another by now, and a look-up that is under way may have been answered before. */
  readonly failed = (): void => {
    this.failures += 1;
    if (!this.lookingUp && this.timer !== undefined) this.lookUpSoon();
  };

  private lookUpSoon(): void {
    this.lookUpAfter(Math.max(0, this.lookedUpAtMs + LOOK_UP_AT_MOST_EVERY_MS - performance.now()));
  }

  private lookUpAfter(ms: number): void {
    clearTimeout(this.timer);
    const { name } = this;
    if (this.closed || name === undefined) return;
    this.timer = setTimeout(() => void this.lookUp(name), ms);
    this.timer.unref();
  }

  /** Never rejects. */
  private async lookUp(name: string): Promise<void> {
    this.lookingUp = true;
    const before = this.failures;
    this.lookedUpAtMs = performance.now();
    this.learn(await this.options.lookUpName(name).catch((): string[] => []));
    this.lookingUp = false;
    if (this.closed) return;
    this.options.lookedUp();
    if (this.failures > before) this.lookUpSoon();
    else this.lookUpAfter(this.options.lookUpEveryMs ?? LOOK_UP_EVERY_MS);
  }

  private learn(answer: readonly string[]): void {
    const all = ofOneFamily(answer);
    const stay = this.found.filter((address) => all.includes(address));
    const addresses = [...stay, ...all.filter((address) => !stay.includes(address))].slice(0, MAX_ADDRESSES);
    // Nobody says that there is none: a name server is away, or no replica is ready, which the replicas say better themselves.
    if (addresses.length === 0) return;
    this.found = addresses.length > 1 || stay.length === 1 ? addresses : [];
  }
}
