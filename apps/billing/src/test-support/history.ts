import type { EventEnvelope } from '@capability-router/contracts';
import type { AccountId } from '@capability-router/kernel';
import type { BillableId } from '../holds/domain/billable-id.js';
import type { AccountModel } from './account-model.js';
import type { SeededRandom } from './random.js';

/** One account, what must be true of it, and what happened to it. */
export interface History {
  readonly accountId: AccountId;
  /** A generator of its own, so that what it draws does not depend on which other account's command ends first. */
  readonly random: SeededRandom;
  readonly model: AccountModel;
  readonly hasAllowance: boolean;
  /** Neither ended nor swept. */
  readonly running: BillableId[];
  /** Terminal events of earlier rounds. */
  readonly settled: EventEnvelope[];
  /** Terminal events of this round, to be settled in batches with those of others. */
  ended: EventEnvelope[];
  imports: number;
}

/** Throws where billing did something else than the model. */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what}: expected ${String(expected)}, got ${String(actual)}`);
}
