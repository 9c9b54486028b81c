import type { JsonObject } from '@capability-router/kernel';
import { EvaluationPool, type EvaluationPoolOptions, type Unselected } from '../runners/evaluation-pool.js';
import { EVALUATE_KIND, type ExpressionAnswer, type ExpressionFault, type ExpressionTask } from './expression-task.js';

/**
 * The end of the expressions of one mapping: their values by member, without the members of which there is none; what is wrong
 * with one of them for this source; or why they could not be evaluated.
 */
export type Computed = { readonly values: JsonObject } | { readonly fault: ExpressionFault } | Unselected;

const tasksUrl = new URL('../../dist/jsonata/expression-tasks.js', import.meta.url).href;

/** Milliseconds for all expressions of one mapping. */
const TIMEOUT_MS = 250;

/**
 * Evaluates the JSONata of mappings in processes of their own, under limits of time, memory and size: an expression can call itself
 * for ever. One that does takes its process with it. Only these processes load JSONata, and none runs before the first task.
 */
export class JsonataPool {
  private readonly pool: EvaluationPool;

  constructor(options: EvaluationPoolOptions = {}) {
    this.pool = new EvaluationPool(tasksUrl, { timeoutMs: TIMEOUT_MS, ...options });
  }

  /** `source`: JSON. `holder`: whose expressions they are; those who wait take turns by it. */
  async compute(expressions: ExpressionTask['expressions'], source: string, holder: string): Promise<Computed> {
    const task = { head: { expressions } satisfies ExpressionTask, document: source };
    const answer = await this.pool.run<ExpressionAnswer>(EVALUATE_KIND, task, holder);
    if (typeof answer === 'string') return answer;
    const { fault } = answer.head;
    return fault === undefined ? { values: JSON.parse(answer.document) as JsonObject } : { fault };
  }

  /** Tasks that run or wait. */
  get inFlight(): number {
    return this.pool.inFlight;
  }

  /** Ends all processes; tasks under way are not had. */
  close(): Promise<void> {
    return this.pool.close();
  }
}
