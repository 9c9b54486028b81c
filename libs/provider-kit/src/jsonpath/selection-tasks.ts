import type { JsonValue } from '@capability-router/kernel';
import { compile } from 'json-p3';
import { readDocument, withDocument } from '../runners/document-message.js';
import type { EvaluationSettings } from '../runners/evaluation-pool.js';
import type { Tasks } from '../runners/messages.js';
import { SCHEMA_KIND, type SelectAnswer, type SelectTask } from './selection.js';

/** Runs in runner processes, one task at a time. */

/** Values that all expressions of a task may select together. */
const MAX_SELECTED_VALUES = 10_000;
/** Characters of all selected values as JSON; `$..*` selects a document once per level. */
const MAX_SELECTED_LENGTH = 16 * 1_024 * 1_024;

export function openTasks(settings: object): Promise<Tasks> {
  const { timeoutMs } = settings as EvaluationSettings;
  return Promise.resolve({
    prepare: async (kind) => {
      if (kind === SCHEMA_KIND) await loadSchemaChecks();
      return timeoutMs;
    },
    run: async (_kind, task) => {
      const { head, document } = readDocument<Omit<SelectTask, 'data'>>(task);
      const answer = await select({ ...head, data: document });
      if ('failed' in answer) return withDocument(answer, '');
      const { json, ...rest } = answer;
      return withDocument(rest, json);
    },
  });
}

const loadSchemaChecks = () => import('./find-misfit.js');

async function select({ data, selections, schema }: SelectTask): Promise<SelectAnswer> {
  const root = JSON.parse(data) as JsonValue;
  // Without a prototype, so that any name is just a name.
  const selected = Object.create(null) as Record<string, unknown>;
  let count = 0;
  let length = 0;
  for (const { expression, name, singular, exists } of selections) {
    const nodes = compile(expression).lazyQuery(root);
    if (exists === true) {
      selected[name] = nodes.next().done !== true;
      continue;
    }
    const values: unknown[] = [];
    for (const node of nodes) {
      count += 1;
      length += JSON.stringify(node.value).length;
      if (count > MAX_SELECTED_VALUES || length > MAX_SELECTED_LENGTH) return { failed: 'too much is selected' };
      values.push(node.value);
    }
    if (!singular) selected[name] = values;
    else if (values.length > 0) selected[name] = values[0];
  }
  const misfit = schema === undefined ? undefined : await misfitOf(root, schema);
  return { json: JSON.stringify(selected), ...(misfit === undefined ? {} : { misfit }) };
}

const misfitOf = async (root: JsonValue, schema: string): Promise<string | undefined> =>
  (await loadSchemaChecks()).findMisfit(root, schema);
