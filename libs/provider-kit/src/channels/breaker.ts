import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  handleWhenResult,
  SamplingBreaker,
  type CircuitBreakerPolicy,
} from 'cockatiel';
import { failure, type ProviderAnswer } from '../provider-adapter.js';

export type BreakerState = 'closed' | 'open' | 'half_open';

/** Milliseconds over which failures are counted. */
const WINDOW_MS = 30_000;
/** Part of the calls in the window that have to fail. Half, so that one caller's odd parameters do not shut others out. */
const FAILING_PART = 0.5;
/** Calls that the window needs before it says anything. */
const MIN_CALLS_IN_WINDOW = 10;
const SERVER_ERROR = 500;

/** Leaves a provider alone that does not answer or is out of order. What a caller got wrong does not count. */
export class Breaker {
  private readonly policy: CircuitBreakerPolicy;

  /** `pauseMs`: after which an open breaker lets one call through to see. */
  constructor(pauseMs: number, onChange: (state: BreakerState) => void) {
    this.policy = circuitBreaker(
      handleWhenResult((counted) => (counted as Counted).isAgainstProvider),
      {
        halfOpenAfter: pauseMs,
        breaker: new SamplingBreaker({
          threshold: FAILING_PART,
          duration: WINDOW_MS,
          minimumRps: MIN_CALLS_IN_WINDOW / (WINDOW_MS / 1_000),
        }),
      },
    );
    this.policy.onStateChange((state) => onChange(nameOf(state)));
  }

  get state(): BreakerState {
    return nameOf(this.policy.state);
  }

  /** `signal`: a call that its caller has given up says nothing of the provider. */
  async run(attempt: () => Promise<ProviderAnswer>, signal?: AbortSignal): Promise<ProviderAnswer> {
    // Another call is seeing whether the provider is back; waiting for it could take this call's whole time.
    if (this.policy.state === CircuitState.HalfOpen) return unavailable;
    try {
      const { answer } = await this.policy.execute(async (): Promise<Counted> => {
        const came = await attempt();
        return { answer: came, isAgainstProvider: signal?.aborted !== true && countsAgainstProvider(came) };
      });
      return answer;
    } catch (error) {
      if (error instanceof BrokenCircuitError) return unavailable;
      throw error;
    }
  }
}

const unavailable = failure(
  'unavailable',
  'The provider of this tool is failing and is left alone for a moment. Retry later, or search for another tool.',
  { retryable: true },
);

interface Counted {
  readonly answer: ProviderAnswer;
  readonly isAgainstProvider: boolean;
}

function countsAgainstProvider(answer: ProviderAnswer): boolean {
  if (answer.kind === 'answered') return false;
  if (answer.fault === 'http_error') return (answer.statusCode ?? SERVER_ERROR) >= SERVER_ERROR;
  return answer.fault === 'timeout' || answer.fault === 'no_response';
}

function nameOf(state: CircuitState): BreakerState {
  if (state === CircuitState.Closed) return 'closed';
  return state === CircuitState.HalfOpen ? 'half_open' : 'open';
}
