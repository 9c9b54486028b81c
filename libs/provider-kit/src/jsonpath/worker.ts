import { parentPort } from 'node:worker_threads';
import type { JsonValue } from '@capability-router/kernel';
import { compile } from 'json-p3';
import { loadSchemaChecks, type SelectAnswer, type SelectTask } from './selection.js';

/** Runs in a worker thread, one task at a time; whoever started it ends it when a task takes too long. */

/** Values that all expressions of a task may select together. */
const MAX_SELECTED_VALUES = 10_000;
/** Characters of all selected values as JSON; `$..*` selects a document once per level. */
const MAX_SELECTED_LENGTH = 16 * 1_024 * 1_024;

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

/** Ajv is loaded by the first tool that declares a schema. */
async function misfitOf(root: JsonValue, schema: string): Promise<string | undefined> {
  const { findMisfit } = await import('./find-misfit.js');
  return findMisfit(root, schema);
}

async function answerTo(task: SelectTask | typeof loadSchemaChecks): Promise<SelectAnswer | 'ready'> {
  if (task !== loadSchemaChecks) return select(task);
  await import('./find-misfit.js');
  return 'ready';
}

parentPort?.on('message', (task: SelectTask | typeof loadSchemaChecks) => {
  answerTo(task).then(
    (answer) => parentPort?.postMessage(answer),
    (error: unknown) => parentPort?.postMessage({ failed: String(error) }),
  );
});
parentPort?.postMessage('ready');
