import type { JsonObject } from '@capability-router/kernel';
import type { Tasks } from '../runners/messages.js';
import { refusalText, type OperationRefusal, type OperationsSettings } from './operation-answers.js';

/** Runs in the runner processes of built-in tools: a kind of task is an operation, a task its parameters as JSON. */

type Operation = (parameters: JsonObject) => unknown;

/** A module of operations. */
export interface OperationsModule {
  readonly operations: ReadonlyMap<string, Operation>;
  /** Milliseconds that an operation may take, once all that it needs has been loaded. */
  readonly runLimitsMs?: ReadonlyMap<string, number>;
  /** Parameters with which each operation loads all that it needs. */
  readonly samples?: ReadonlyMap<string, JsonObject>;
}

export async function openTasks(settings: object): Promise<Tasks> {
  const { operationsUrl, maxResultBytes } = settings as OperationsSettings;
  const { operations, runLimitsMs, samples } = (await import(operationsUrl)) as OperationsModule;
  return {
    async prepare(name) {
      // Libraries and their tables are loaded by the first call that needs them: this is it, and nobody's.
      const sample = samples?.get(name);
      if (sample !== undefined) await operations.get(name)?.(sample);
      return runLimitsMs?.get(name);
    },
    run: (name, task) => answerOf(operations.get(name), name, JSON.parse(task) as JsonObject, maxResultBytes),
  };
}

async function answerOf(
  operation: Operation | undefined,
  name: string,
  parameters: JsonObject,
  maxResultBytes: number,
): Promise<string> {
  if (operation === undefined) return refusalText({ reason: 'unknown_operation', message: name });
  try {
    // Undefined is no JSON value: an operation without a result has found nothing.
    const json = JSON.stringify((await operation(parameters)) ?? null);
    const sizeBytes = Buffer.byteLength(json);
    return sizeBytes > maxResultBytes ? refusalText({ reason: 'too_large', message: `${sizeBytes} bytes` }) : json;
  } catch (error) {
    return refusalText(refusalOf(error));
  }
}

function refusalOf(error: unknown): OperationRefusal {
  if (!(error instanceof Error)) return { reason: 'unexpected', message: String(error) };
  if (error.name === 'ToolInputError') return { reason: 'input', message: error.message };
  return { reason: 'unexpected', message: error.stack ?? error.message };
}
