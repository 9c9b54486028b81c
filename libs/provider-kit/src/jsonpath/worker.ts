import { parentPort } from 'node:worker_threads';
import type { JsonValue } from '@capability-router/kernel';
import { compile } from 'json-p3';
import type { SelectAnswer, SelectTask } from './selection.js';

/** Runs in a worker thread, one task at a time; whoever started it ends it when a task takes too long. */

/** Values that all expressions of a task may select together. */
const MAX_SELECTED_VALUES = 10_000;
/** Characters of all selected values as JSON; `$..*` selects a document once per level. */
const MAX_SELECTED_LENGTH = 16 * 1_024 * 1_024;

function select({ data, selections }: SelectTask): SelectAnswer {
  const root = JSON.parse(data) as JsonValue;
  // Without a prototype, so that any name is just a name.
  const selected = Object.create(null) as Record<string, unknown>;
  let count = 0;
  let length = 0;
  for (const { expression, name, singular } of selections) {
    const values: unknown[] = [];
    for (const node of compile(expression).lazyQuery(root)) {
      count += 1;
      length += JSON.stringify(node.value).length;
      if (count > MAX_SELECTED_VALUES || length > MAX_SELECTED_LENGTH) return { failed: 'too much is selected' };
      values.push(node.value);
    }
    if (!singular) selected[name] = values;
    else if (values.length > 0) selected[name] = values[0];
  }
  return { json: JSON.stringify(selected) };
}

parentPort?.on('message', (task: SelectTask) => {
  try {
    parentPort?.postMessage(select(task));
  } catch (error) {
    parentPort?.postMessage({ failed: String(error) });
  }
});
parentPort?.postMessage('ready');
