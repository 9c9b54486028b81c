import type { ResultPredicates } from '@capability-router/contracts';
import type { Unselected } from '../runners/evaluation-pool.js';
import type { JsonPathPool } from './json-path-pool.js';
import type { JsonPathSelection } from './selection.js';

/** A tool's own rules say this about a result. */
export interface ResultVerdict {
  readonly empty: boolean;
  readonly partial: boolean;
  /** The place at which the result does not fit the declared schema, and the reason. */
  readonly misfit?: string;
}

/** The verdict on a result of a tool without rules. */
export const unjudged: ResultVerdict = { empty: false, partial: false };

/**
 * Holds a result (`json`: `result.data` as JSON) to the rules of its tool, under the limits of the pool, or says why that
 * could not be done; `limits` too where an expression or the schema is none. `holder`: whose rules they are.
 */
export async function judgeResult(
  { emptyWhen, partialWhen, schema }: ResultPredicates,
  json: string,
  pool: JsonPathPool,
  holder: string,
): Promise<ResultVerdict | Unselected> {
  const selections = [...predicate('empty', emptyWhen), ...predicate('partial', partialWhen)];
  if (selections.length === 0 && schema === undefined) return unjudged;
  const found = await pool.run(
    { data: json, selections, ...(schema === undefined ? {} : { schema: JSON.stringify(schema) }) },
    holder,
  );
  if (typeof found === 'string') return found;
  const verdict = { ...unjudged, ...(JSON.parse(found.json) as Partial<ResultVerdict>) };
  return found.misfit === undefined ? verdict : { ...verdict, misfit: found.misfit };
}

const predicate = (name: 'empty' | 'partial', expression: string | undefined): JsonPathSelection[] =>
  expression === undefined ? [] : [{ expression, name, singular: false, exists: true }];
