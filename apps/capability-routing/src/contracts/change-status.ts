import { toIso, type Clock } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { appendCapabilityEvents, published, retired } from './append-capability-events.js';
import { findLive, saveRetired } from './capabilities.js';
import { lockPublications } from './lock-publications.sql.js';

/** The actions of an administrator on one contract. */
export const capabilityActions = ['retire', 'restore'] as const;
export type CapabilityAction = (typeof capabilityActions)[number];

export type ActionOutcome =
  | { readonly result: 'done' | 'unchanged'; readonly contractVersion: number }
  | { readonly result: 'unknown_capability' }
  /** Another contract is there than the one that was looked at. */
  | { readonly result: 'conflict'; readonly schemaHash: string };

interface Command {
  readonly capabilityId: string;
  readonly action: CapabilityAction;
  /** Names the contract that was looked at; nothing is done where it is another one by now. */
  readonly schemaHash?: string | undefined;
}

/** One transaction: row and event. What comes back has the version that it had. Repeating an action answers `unchanged`. */
export function changeCapabilityStatus(pool: pg.Pool, clock: Clock, command: Command): Promise<ActionOutcome> {
  const { capabilityId, action, schemaHash } = command;
  return inTransaction(pool, async (tx): Promise<ActionOutcome> => {
    await lockPublications(tx);
    const live = (await findLive(tx, [capabilityId])).get(capabilityId);
    if (live === undefined) return { result: 'unknown_capability' };
    const { contract, contractVersion } = live;
    if (schemaHash !== undefined && schemaHash !== live.schemaHash) {
      return { result: 'conflict', schemaHash: live.schemaHash };
    }
    const retires = action === 'retire';
    if (live.retired === retires) return { result: 'unchanged', contractVersion };
    const now = toIso(clock.nowMs());
    await saveRetired(tx, capabilityId, retires);
    await appendCapabilityEvents(tx, [retires ? retired(contract, now) : published(contract)], now);
    return { result: 'done', contractVersion };
  });
}
