/** Calls of a provider that still tell something, and requests for which one does. */
const MAX_CALLS = 200;
const MAX_AGE_REQUESTS = 1_000;
/** Successful calls below which no p95 is told. */
const MIN_TIMED_CALLS = 10;

interface Call {
  readonly request: number;
  readonly served: boolean;
  readonly ms: number;
}

/** What whoever chooses has seen of one provider. */
export class Evidence {
  private calls: Call[] = [];

  add(call: Call): void {
    this.calls.push(call);
  }

  /** What is known at this request. */
  at(request: number): { readonly successes: number; readonly failures: number; readonly p95Ms: number | undefined } {
    const from = request - MAX_AGE_REQUESTS;
    this.calls = this.calls.slice(-MAX_CALLS).filter((call) => call.request >= from);
    const times = this.calls.filter(({ served }) => served).map(({ ms }) => ms);
    times.sort((a, b) => a - b);
    return {
      successes: times.length,
      failures: this.calls.length - times.length,
      p95Ms: times.length < MIN_TIMED_CALLS ? undefined : times[Math.ceil(times.length * 0.95) - 1],
    };
  }
}
