import { anomalies, type Anomaly } from '../../usage-audit/domain/anomalies.js';
import type { ExceptionKind } from '../../settlement/domain/decide-settlement.js';

/** What settlement could not collect. */
export const uncollectedKinds = [
  'missing_hold',
  'hold_already_ended',
  'bill_exceeds_hold',
  'hold_of_another_account',
] as const satisfies readonly ExceptionKind[];

/** What people are asked to look at. */
export type QueuedKind = ExceptionKind | Anomaly;
export const queuedKinds: readonly QueuedKind[] = [...uncollectedKinds, ...anomalies];

export const exceptionActions = ['refunded', 'confirmed', 'written_off', 'cleared'] as const;
export type ExceptionAction = (typeof exceptionActions)[number];

/** Until something was done, `open`. Every action closes. */
export type ExceptionState = 'open' | ExceptionAction;
