import { anomalies, type Anomaly } from '../../usage-audit/domain/anomalies.js';
import type { ExceptionKind } from '../../settlement/domain/decide-settlement.js';

/** The kinds of exceptions in which settlement could not collect. */
export const uncollectedKinds = [
  'missing_hold',
  'hold_already_ended',
  'bill_exceeds_hold',
  'hold_of_another_account',
] as const satisfies readonly ExceptionKind[];

/** The kinds of exceptions that people are asked to look at. */
export type QueuedKind = ExceptionKind | Anomaly;
export const queuedKinds: readonly QueuedKind[] = [...uncollectedKinds, ...anomalies];

export const exceptionActions = ['refunded', 'confirmed', 'written_off', 'cleared'] as const;
export type ExceptionAction = (typeof exceptionActions)[number];

/** An exception is `open` until something was done. Every action closes it. */
export type ExceptionState = 'open' | ExceptionAction;
