import type { Credits } from '@capability-router/kernel';
import type { ClientNetwork } from './client-network.js';

export const DAY_MS = 86_400_000;

/** Bounds per UTC day. */
export interface RegistrationPolicy {
  readonly perAddressPerDay: number;
  readonly perNetworkPerDay: number;
  /** All trials that are opened in one day are given no more than this together. */
  readonly dailyBudget: Credits;
  readonly trialCredits: Credits;
}

export type CapKind = 'address' | 'network' | 'budget';

/** A bound on what happens in a UTC day. */
export interface DayCap {
  /** Key of the counter. */
  readonly scope: string;
  /** The share that a registration now uses. */
  readonly amount: bigint;
  readonly allowed: bigint;
}

/** A registration uses 1, or micro-credits of the budget. */
export interface RegistrationCap extends DayCap {
  readonly kind: CapKind;
}

export interface RegistrationCaps {
  /** The caps of whoever registers, from the narrowest to the widest. */
  readonly own: readonly RegistrationCap[];
  /** The counter that all registrations share. */
  readonly shared: RegistrationCap;
}

/**
 * Every registration takes its counters from the narrowest to the widest, so that two of them wait for each other and never
 * deadlock, and the shared one last.
 */
export const registrationCaps = (client: ClientNetwork, policy: RegistrationPolicy): RegistrationCaps => ({
  own: [
    { kind: 'address', scope: `address:${client.address}`, amount: 1n, allowed: BigInt(policy.perAddressPerDay) },
    { kind: 'network', scope: `network:${client.network}`, amount: 1n, allowed: BigInt(policy.perNetworkPerDay) },
  ],
  shared: { kind: 'budget', scope: 'budget', amount: policy.trialCredits, allowed: policy.dailyBudget },
});

export interface DayWindow {
  readonly startMs: number;
  readonly endMs: number;
}

export function utcDayOf(nowMs: number): DayWindow {
  const startMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return { startMs, endMs: startMs + DAY_MS };
}
