import { internalHeaders, type ContextName } from '@capability-router/contracts';
import { exchange, type Exchange } from '../exchange.js';
import {
  isRepeatable,
  UpstreamTimeout,
  UpstreamUnavailable,
  type ServiceRequest,
  type ServiceResponse,
} from '../service-client.js';
import { onceLate } from '../../util/timing.js';
import type { ServiceAddress } from './service-address.js';
import { AnsweredByAnother, whyNotConnected } from './why-out.js';

/** Requests that are under way twice at one time, so that a service which is slow as a whole is not asked twice as much. */
const MAX_DOUBLED = 16;
const NOT_READY = 503;

/** Shared by the requests of a client. */
export interface Doubled {
  count: number;
}

interface Attempt {
  readonly address: ServiceAddress;
  readonly exchange: Exchange;
  readonly startedMs: number;
  readonly stopWatching: () => void;
  /** Ends its patience. */
  readonly inTime: () => void;
}

/**
 * One request over the addresses in `order`, each tried at most once. It moves on from an address that refuses, is not
 * ready, or is late: always before the request is written, and after that only with what may be repeated. One that is late
 * goes on where it is too: what must not be repeated is written by the first address that takes it, and of answers the
 * first counts.
 */
export function requestInTurn(
  service: ContextName,
  order: readonly ServiceAddress[],
  request: ServiceRequest,
  headers: Record<string, string>,
  doubled: Doubled,
): Promise<ServiceResponse> {
  return new Promise((resolve, reject) => {
    new RequestInTurn(service, order, request, headers, doubled, resolve, reject).next();
  });
}

class RequestInTurn {
  private readonly running = new Set<Attempt>();
  private readonly inTime: () => void;
  private readonly repeatable: boolean;
  private tried = 0;
  private written = false;
  /** An address is being sent what must not be repeated. */
  private taken = false;
  private doubles = 0;

  constructor(
    private readonly service: ContextName,
    private readonly order: readonly ServiceAddress[],
    private readonly request: ServiceRequest,
    private readonly headers: Record<string, string>,
    private readonly doubled: Doubled,
    private readonly resolve: (response: ServiceResponse) => void,
    private readonly reject: (error: Error) => void,
  ) {
    this.repeatable = isRepeatable(request);
    this.inTime = onceLate(request.timeoutMs, () => this.timedOut());
  }

  /** Tries the next address. */
  next(): void {
    const address = this.order[this.tried];
    if (address === undefined) throw new Error('there is no address left to try');
    this.tried += 1;
    const of = (act: (attempt: Attempt) => void): void => {
      const attempt = [...this.running].find(({ address: at }) => at === address);
      if (attempt !== undefined) act(attempt);
    };
    const started = exchange(address.pool, this.service, this.request, this.headers, {
      begins: () => this.begins(address),
      answered: (response) => of((it) => this.answered(it, response)),
      // An exchange may fail before it is returned.
      failed: (error) => queueMicrotask(() => of((it) => this.failed(it, error))),
    });
    this.running.add({
      address,
      exchange: started,
      startedMs: performance.now(),
      stopWatching: address.watch((lost) => of((it) => this.silent(it, lost))),
      // With one address there is nothing that being late could lead to.
      inTime: this.order.length === 1 ? nothing : onceLate(address.times.patienceMs, () => of((it) => this.late(it))),
    });
  }

  /** A request that must not be repeated is written by the first address that takes it, and by no other. */
  private begins(address: ServiceAddress): boolean {
    if (this.repeatable) return true;
    if (this.taken) return false;
    this.taken = true;
    for (const other of [...this.running]) {
      if (other.address !== address) this.giveUp(other, 'another address took the request');
    }
    return true;
  }

  private answered(attempt: Attempt, response: ServiceResponse): void {
    if (attempt.address.owner.isAnother(response)) {
      attempt.address.eject('not_ours');
      const cause = new AnsweredByAnother(this.service);
      this.notBegun(attempt, () => this.reject(new UpstreamUnavailable(this.service, this.written, cause)));
      return;
    }
    const availability = response.headers[internalHeaders.availability];
    if (availability !== undefined) attempt.address.eject('not_ready');
    if (availability === 'not_ready' && response.status === NOT_READY) {
      this.notBegun(attempt, () => this.resolve(response));
      return;
    }
    if (availability === undefined) attempt.address.served();
    attempt.address.times.record(performance.now() - attempt.startedMs);
    this.drop(attempt);
    this.finish(() => this.resolve(response));
  }

  /** So even what must not be repeated may go elsewhere, and is as good as never written. `tell`: where nobody is left. */
  private notBegun(attempt: Attempt, tell: () => void): void {
    this.leave(attempt);
    this.taken = false;
    if (this.hasNext()) this.next();
    else if (this.running.size === 0) this.finish(tell);
  }

  private failed(attempt: Attempt, error: UpstreamUnavailable): void {
    if (error.requestWritten) attempt.address.suspect();
    else attempt.address.eject(whyNotConnected(error.cause));
    this.drop(attempt);
    this.moveOnAfter(error);
  }

  /** The address does not even answer a probe: whoever can go elsewhere does, and once it is lost, nobody waits for it. */
  private silent(attempt: Attempt, lost: boolean): void {
    const { written } = attempt.exchange;
    if (!lost && !(this.hasNext() && (!written || this.repeatable))) return;
    const why = this.giveUp(attempt, 'the address is silent');
    this.moveOnAfter(new UpstreamUnavailable(this.service, written, why));
  }

  private late(attempt: Attempt): void {
    attempt.address.suspect();
    if (!this.hasNext()) return;
    if (attempt.exchange.written) {
      if (!this.repeatable || this.doubled.count >= MAX_DOUBLED) return;
      this.doubled.count += 1;
      this.doubles += 1;
    }
    // It goes on waiting for a connection, or an answer, here too.
    this.next();
  }

  private moveOnAfter(error: UpstreamUnavailable): void {
    if (this.hasNext() && (!error.requestWritten || this.repeatable)) this.next();
    else if (this.running.size === 0) {
      this.finish(() => this.reject(new UpstreamUnavailable(this.service, this.written, error.cause)));
    }
  }

  private timedOut(): void {
    const written = this.written || [...this.running].some(({ exchange: { written: begun } }) => begun);
    for (const { address } of this.running) address.suspect();
    this.finish(() => this.reject(new UpstreamTimeout(this.service, this.request.timeoutMs, written)));
  }

  private hasNext(): boolean {
    return this.tried < this.order.length;
  }

  private giveUp(attempt: Attempt, reason: string): Error {
    const why = new Error(reason);
    attempt.exchange.abandon(why);
    this.drop(attempt);
    return why;
  }

  private drop(attempt: Attempt): void {
    this.leave(attempt);
    this.written ||= attempt.exchange.written;
  }

  private leave(attempt: Attempt): void {
    attempt.inTime();
    attempt.stopWatching();
    this.running.delete(attempt);
  }

  /** Gives up what is still under way and remembers its time so far, so that patience grows with a slow service. */
  private finish(tell: () => void): void {
    this.inTime();
    this.doubled.count -= this.doubles;
    this.doubles = 0;
    for (const attempt of [...this.running]) {
      attempt.address.times.record(performance.now() - attempt.startedMs);
      this.giveUp(attempt, 'the request has ended');
    }
    tell();
  }
}

const nothing = (): void => undefined;
