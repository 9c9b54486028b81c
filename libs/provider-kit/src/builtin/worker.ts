import { workerData } from 'node:worker_threads';
import type { JsonObject } from '@capability-router/kernel';
import type { WorkerAnswer, WorkerRefusal, WorkerSettings, WorkerTask } from './worker-protocol.js';

/** Runs in a worker thread: one operation at a time, nothing shared with the service but the messages. */

interface OperationsModule {
  readonly operations: ReadonlyMap<string, (parameters: JsonObject) => unknown>;
  readonly isolatedOperations?: ReadonlyMap<string, number>;
}

const settings = workerData as WorkerSettings;
const { operations, isolatedOperations } = (await import(settings.operationsUrl)) as OperationsModule;

/** Milliseconds that an operation may take once it has begun, where it has such a limit. */
export const runLimitMs = (operation: string): number | undefined => isolatedOperations?.get(operation);

export default async function run(task: WorkerTask): Promise<WorkerAnswer> {
  const operation = operations.get(task.operation);
  if (operation === undefined) return { reason: 'unknown_operation', message: task.operation };
  if (!settings.isolated && isolatedOperations?.has(task.operation) === true) {
    return { reason: 'needs_isolation', message: task.operation };
  }
  try {
    // Undefined is no JSON value: an operation without a result has found nothing.
    const json = JSON.stringify((await operation(task.parameters)) ?? null);
    const sizeBytes = Buffer.byteLength(json);
    if (sizeBytes > settings.maxResultBytes) return { reason: 'too_large', message: `${sizeBytes} bytes` };
    return [json, sizeBytes];
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): WorkerRefusal {
  if (!(error instanceof Error)) return { reason: 'unexpected', message: String(error) };
  if (error.name === 'ToolInputError') return { reason: 'input', message: error.message };
  return { reason: 'unexpected', message: error.stack ?? error.message };
}
