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
}

export interface SteadyResult {
  /** Requests that were due within the time. */
  readonly sent: number;
  /** Answered with 200. */
  readonly good: number;
  /** Other ends, by status or kind. */
  readonly bad: Readonly<Record<string, number>>;
  /** Body of one of them. */
  readonly badSample?: string;
  /** From the moment a request was due, so that a stall counts for all who came during it. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
  /** Bytes of an answer's body, mean. */
  readonly meanBytes: number;
  /** CPU seconds of the load generator. */
  readonly cpuSeconds: number;
}
