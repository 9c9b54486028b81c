import type { Answers } from './rounds.js';

/** Requests that arrive at a constant rate, whether or not earlier ones are answered, as independent callers send them. */
export interface SteadyJob {
  /** `http://127.0.0.1:port`; nothing but the loopback interface is ever loaded. */
  readonly origin: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON texts, taken in turn; none for a GET. */
  readonly bodies: readonly string[];
  /** API keys, taken in turn. */
  readonly keys: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
  /** Connections that may be open at once; what is due beyond waits for one. Absent: 256. */
  readonly maxSockets?: number;
  /** Count an answer with 200 only if its JSON body says `success: true`. */
  readonly requireSuccess?: boolean;
  /** With `requireSuccess`: count the good answers whose JSON body has this member. */
  readonly countMember?: string;
}

export interface SteadyResult extends Answers {
  /** Requests that were due within the time. */
  readonly sent: number;
  /** Requests that were sent and not answered yet at the same time, most. */
  readonly mostOpen: number;
  /** From the moment the first was due to the last answer. */
  readonly elapsedMs: number;
  /** When the last answer came, milliseconds since the epoch. */
  readonly lastAnswerAtMs: number;
  /** From the moment a request was due, so that a stall counts for all who came during it. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
  /** Good answers that have the job's `countMember`. */
  readonly withMember: number;
  /** Bytes of an answer's body, mean. */
  readonly meanBytes: number;
}
