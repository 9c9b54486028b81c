/** The baseline of `measure-builtin-calls.ts`: the same operations in a thread of the process that asks. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Tasks } from '@capability-router/provider-kit';

interface ThreadData {
  readonly tasksUrl: string;
  readonly settings: object;
}

const { tasksUrl, settings } = workerData as ThreadData;
const { openTasks } = (await import(tasksUrl)) as { openTasks(settings: object): Promise<Tasks> };
const tasks = await openTasks(settings);
const prepared = new Set<string>();
parentPort?.on('message', ({ kind, task }: { readonly kind: string; readonly task: string }) => void run(kind, task));
parentPort?.postMessage('ready');

async function run(kind: string, task: string): Promise<void> {
  if (!prepared.has(kind)) await tasks.prepare(kind);
  prepared.add(kind);
  parentPort?.postMessage(await tasks.run(kind, task));
}
