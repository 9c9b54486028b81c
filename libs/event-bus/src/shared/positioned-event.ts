import type { EventEnvelope } from '@capability-router/contracts';

/** An event and where its consumer found it. */
export interface PositionedEvent {
  readonly event: EventEnvelope;
  readonly position: string;
  /** Why the record is no event of ours; it is parked instead of handled. */
  readonly malformed?: string;
}
