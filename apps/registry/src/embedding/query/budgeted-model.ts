import { delay } from '@capability-router/service-kit';
import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleWhen,
  type CircuitBreakerPolicy,
} from 'cockatiel';
import { ModelError } from '../embedder.js';

/** Failures one after the other until the model is left alone. */
const FAILURES_TO_OPEN = 5;
/** Questions under way. A slow model keeps some open beyond their budget; more would only pile up in front of it. */
const MAX_UNDER_WAY = 64;

export type ModelOutcome<T> =
  | { readonly status: 'answered'; readonly value: T }
  | { readonly status: 'late' | 'failed' | 'breaker_open' | 'busy' };

export interface BudgetOptions {
  /** Milliseconds from a question to the moment an answer must not wait any longer. */
  readonly budgetMs: number;
  /** Milliseconds after which an open breaker lets one question through to see. */
  readonly breakerPauseMs: number;
  readonly onFailure: (error: unknown) => void;
  /** Resolves when the time is up, or at once when the signal is aborted. Real time where absent. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Asks a model and waits no longer than the budget. A late answer still arrives, for whoever remembers answers. */
export class BudgetedModel {
  private readonly breaker: CircuitBreakerPolicy;
  private underWay = 0;

  constructor(private readonly options: BudgetOptions) {
    this.breaker = circuitBreaker(handleWhen(countsAgainstModel), {
      halfOpenAfter: options.breakerPauseMs,
      breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
    });
  }

  /** Never rejects. */
  async ask<T>(question: () => Promise<T>): Promise<ModelOutcome<T>> {
    if (this.underWay >= MAX_UNDER_WAY) return { status: 'busy' };
    // Another question is seeing whether the model is back.
    if (this.breaker.state === CircuitState.HalfOpen) return { status: 'breaker_open' };
    const answered = new AbortController();
    const { budgetMs, wait = delay } = this.options;
    const late = wait(budgetMs, answered.signal).then((): ModelOutcome<T> => ({ status: 'late' }));
    const outcome = await Promise.race([this.settle(question), late]);
    answered.abort();
    return outcome;
  }

  private async settle<T>(question: () => Promise<T>): Promise<ModelOutcome<T>> {
    this.underWay += 1;
    try {
      return { status: 'answered', value: await this.breaker.execute(question) };
    } catch (error) {
      if (error instanceof BrokenCircuitError) return { status: 'breaker_open' };
      this.options.onFailure(error);
      return { status: 'failed' };
    } finally {
      this.underWay -= 1;
    }
  }
}

/** A query that the model will not have says nothing about the next one. */
const countsAgainstModel = (error: Error): boolean => !(error instanceof ModelError && error.fault === 'refused');
