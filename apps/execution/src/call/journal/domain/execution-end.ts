import type {
  ExecutionCompleted,
  ExecutionInterrupted,
  ExecutionRefused,
  ExecutionStarted,
} from '@capability-router/contracts';
import type { KeptAnswer } from '../../request/domain/key-claim.js';

export type ExecutionEnd =
  | { readonly type: 'ExecutionCompleted'; readonly data: ExecutionCompleted }
  | { readonly type: 'ExecutionRefused'; readonly data: ExecutionRefused }
  | { readonly type: 'ExecutionInterrupted'; readonly data: ExecutionInterrupted };

/** Kept apart from the event, because it can be erased. The first two are JSON texts. */
export interface Payloads {
  readonly request: string;
  readonly response?: string;
  /** The answer that is kept; only a call with an idempotency key has one. */
  readonly answer?: KeptAnswer;
}

export interface LastEvent {
  readonly type: 'ExecutionStarted' | ExecutionEnd['type'];
  readonly eventId: string;
  readonly data: ExecutionStarted | ExecutionEnd['data'];
}
