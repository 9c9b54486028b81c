/**
 * Passive health of one address of a service, in Envoy's sense: an address that does not serve is ejected for a time
 * that grows with each ejection in a row, is asked by a probe before anybody's request is sent to it again, and where
 * none is left the state of health is ignored ("panic").
 */

/**
 * `silent`: nothing comes back, neither a connection nor an answer; what is written to it may never be answered. `not_ours`:
 * another server answers there, so the address has left the service.
 */
export type EjectionReason = 'refused' | 'not_ready' | 'silent' | 'not_ours';

export interface AddressHealth {
  /** Undefined while the address is in use. */
  readonly out: EjectionReason | undefined;
  /** Ejections in a row, failed probes included. */
  readonly ejections: number;
  /** Milliseconds on a monotonic clock: when it failed last, or since when it is in again. */
  readonly atMs: number;
  /** Milliseconds for which it has been found to be out for this reason; 0 while it is in use. */
  readonly outMs: number;
}

/** Milliseconds for which an address is left out the first time, and at most. */
export const BASE_EJECTION_MS = 250;
export const MAX_EJECTION_MS = 1_000;
/** Milliseconds in use after which earlier ejections are forgotten. */
const FORGIVEN_AFTER_MS = 30_000;
/** Milliseconds from one failed probe to the next that count: in more, this process was stopped, and has asked nothing. */
const MAX_STEP_MS = 2_500;

export const wellSinceStart: AddressHealth = { out: undefined, ejections: 0, atMs: 0, outMs: 0 };

/** The address did not serve a request or a probe. */
export function ejected(health: AddressHealth, reason: EjectionReason, nowMs: number): AddressHealth {
  if (health.out !== undefined) {
    const outMs = health.out === reason ? health.outMs + Math.min(nowMs - health.atMs, MAX_STEP_MS) : 0;
    return { out: reason, ejections: health.ejections + 1, atMs: nowMs, outMs };
  }
  const forgiven = nowMs - health.atMs >= FORGIVEN_AFTER_MS;
  return { out: reason, ejections: forgiven ? 1 : health.ejections + 1, atMs: nowMs, outMs: 0 };
}

/** A probe was answered as ready, or a request was served. */
export function readmitted(health: AddressHealth, nowMs: number): AddressHealth {
  return health.out === undefined ? health : { out: undefined, ejections: health.ejections, atMs: nowMs, outMs: 0 };
}

/** Milliseconds until an address that is out is probed again. */
export function ejectionMs({ ejections }: AddressHealth): number {
  return Math.min(BASE_EJECTION_MS * Math.max(1, ejections), MAX_EJECTION_MS);
}

interface Choosable {
  readonly health: AddressHealth;
  /** An answer is late, and a probe under way. */
  readonly suspected: boolean;
}

/**
 * The addresses that a request may try, each once, in this order: those in use from the `start`-th on, those that are
 * suspected, then those that would say at once that they do not serve. One that is silent or not ours is tried only where there
 * is no other.
 */
export function inTurn<T extends Choosable>(addresses: readonly T[], start: number): T[] {
  const first = start % addresses.length;
  const rotated = [...addresses.slice(first), ...addresses.slice(0, first)];
  const used = rotated.filter(({ health }) => health.out === undefined);
  const well = [...used.filter(({ suspected }) => !suspected), ...used.filter(({ suspected }) => suspected)];
  const prompt = rotated.filter(({ health }) => health.out === 'refused' || health.out === 'not_ready');
  const order = [...well, ...prompt];
  return order.length > 0 ? order : rotated;
}
