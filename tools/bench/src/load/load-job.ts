import type { Answers } from './rounds.js';

/** A fixed number of requests, so that every one that was sent is answered and can be reconciled. */
export interface LoadJob {
  /** `http://127.0.0.1:port`; nothing but the loopback interface is ever loaded. */
  readonly origin: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  /** API keys, shared out among the connections: no two connections use one, so no account is hotter than others. */
  readonly keys: readonly string[];
  /** Instead of an API key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Beside an API key. */
  readonly moreHeaders?: Readonly<Record<string, string>>;
  /** Addresses that requests say they come from, in turn, to a gateway that trusts the load generator as its proxy. */
  readonly addresses?: readonly string[];
  readonly connections: number;
  readonly amount: number;
  /** Count an answer with 200 only if its JSON body says `success: true`. */
  readonly requireSuccess?: boolean;
}

export interface LoadResult extends Answers {
  /** From the first request to the last answer. */
  readonly elapsedMs: number;
  /** When the last answer came, milliseconds since the epoch. */
  readonly lastAnswerAtMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}
