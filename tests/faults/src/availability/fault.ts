import type { Stand } from '../stand.js';
import type { Read } from './reads.js';
import type { Promised } from './seen-by-clients.js';

/** One client has one call under way, so that many can be with a replica at the moment when it fails. */
export const CLIENTS = 8;
/** Milliseconds that a part is away. */
export const AWAY_MS = 6_000;
/** Milliseconds for a call on a busy machine; what is promised beyond it is what its fault costs. */
const ORDINARY_MS = 30_000;

/** The findings of a fault beside those of the clients. */
export interface Findings {
  /** Lines of the report. */
  readonly notes: string[];
  /** The broken promises. */
  readonly broken: string[];
}

export interface Fault {
  readonly name: string;
  readonly promised: Promised;
  /** Played in every run; the others in the torture alone. */
  readonly short?: true;
  /** The accounts that clients call with, where they are to run out of credits; else accounts that nobody empties. */
  readonly accounts?: { readonly count: number; readonly credits: number };
  /** The paths that clients read beside their calls, each time with success. */
  readonly reads?: readonly Read[];
  /** Clients leave a gateway whose `/readyz` says that it is not ready, as they do behind a balancer. */
  readonly balanced?: true;
  /** Replicas as the fault needs them, before the load. */
  arrange?(stand: Stand): Promise<void>;
  /** Resolves when the fault is over, under load all the while. */
  play(stand: Stand, findings: Findings): Promise<void>;
}

export const nothing: Promised = { notRun: false, unknownAtMost: 0, longestMs: ORDINARY_MS };
/** Clients go on calling a gateway that takes no requests: nothing balances between the gateways of these tests. */
export const notServed: Promised = { ...nothing, notRun: true };
/** A call that was written to a replica that fails is never sent again, so its outcome has to be looked up. */
export const lostWithReplica: Promised = { notRun: false, unknownAtMost: 2 * CLIENTS, longestMs: 60_000 };
/** A call that had begun in a replica whose lease then lapsed has ended without a result and is not charged: a 200 that says so. */
const interrupted = { refusals: [200] };
/** The lease lapses where the replica goes on later than it lasts. */
export const frozenWithCalls: Promised = { ...lostWithReplica, ...interrupted };
/** No lease can be renewed meanwhile. */
export const withoutDatabase: Promised = {
  notRun: true,
  unrecorded: true,
  unknownAtMost: 4 * CLIENTS,
  longestMs: 60_000,
  ...interrupted,
};
/** A call under way is broken off, and whoever calls meanwhile meets nobody. */
export const nobodyThere: Promised = {
  notRun: true,
  unknownAtMost: Number.POSITIVE_INFINITY,
  longestMs: 60_000,
  ...interrupted,
};
