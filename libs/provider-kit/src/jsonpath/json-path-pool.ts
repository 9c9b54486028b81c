import { EvaluationPool, type EvaluationPoolOptions, type Unselected } from '../runners/evaluation-pool.js';
import { SCHEMA_KIND, SELECT_KIND, type JsonPathSelection, type SelectAnswer, type SelectTask } from './selection.js';

export type Selected = Extract<SelectAnswer, { json: string }>;

const tasksUrl = new URL('../../dist/jsonpath/selection-tasks.js', import.meta.url).href;

/** Evaluates JSONPath and schemas in processes of their own: a filter with a bad pattern can take for ever, or make V8 abort. */
export class JsonPathPool {
  private readonly pool: EvaluationPool;

  constructor(options: EvaluationPoolOptions = {}) {
    this.pool = new EvaluationPool(tasksUrl, options);
  }

  /** The selected values by name, as JSON; undefined where they could not be had within the limits. */
  async select(data: string, selections: readonly JsonPathSelection[], holder: string): Promise<string | undefined> {
    const found = await this.run({ data, selections }, holder);
    return typeof found === 'string' ? undefined : found.json;
  }

  /** Selects, and also checks the data against a schema. */
  async run(task: SelectTask, holder: string): Promise<Selected | Unselected> {
    const { data: document, ...head } = task;
    const kind = task.schema === undefined ? SELECT_KIND : SCHEMA_KIND;
    const answer = await this.pool.run<{ readonly failed?: string; readonly misfit?: string }>(
      kind,
      { head, document },
      holder,
    );
    if (typeof answer === 'string') return answer;
    return answer.head.failed === undefined ? { ...answer.head, json: answer.document } : 'limits';
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
