import { Worker } from 'node:worker_threads';
import { EXIT_OUT_OF_MEMORY, EXIT_OUT_OF_TIME } from './process-lane.js';
import {
  bareSurroundings,
  isBeginning,
  OUT_OF_MEMORY_CODE,
  type OperationBegins,
  resourceLimits,
  type WorkerAnswer,
  type WorkerSettings,
  type WorkerTask,
} from './worker-protocol.js';

/**
 * A process for operations that may abort it. The operation runs in a thread, so that this process still hears when the
 * service is gone and never stays behind with an endless loop.
 */
interface RunnerSettings {
  readonly operationsUrl: string;
  readonly maxResultBytes: number;
  readonly maxHeapMb: number;
}

const { operationsUrl, maxResultBytes, maxHeapMb } = JSON.parse(process.argv[2] ?? '{}') as RunnerSettings;
const settings: WorkerSettings = { operationsUrl, maxResultBytes, isolated: true };
const thread = new Worker(new URL('./isolated-worker.js', import.meta.url), {
  ...bareSurroundings,
  workerData: settings,
  resourceLimits: resourceLimits(maxHeapMb),
});

process.on('disconnect', () => process.exit(0));
process.on('message', (task: WorkerTask) => thread.postMessage(task));
let limit: NodeJS.Timeout | undefined;
thread.on('message', (message: OperationBegins | WorkerAnswer) => {
  clearTimeout(limit);
  if (isBeginning(message)) limit = setTimeout(() => process.exit(EXIT_OUT_OF_TIME), message.limitMs);
  else process.send?.(message);
});
thread.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === OUT_OF_MEMORY_CODE ? EXIT_OUT_OF_MEMORY : 1);
});
thread.on('exit', () => process.exit(1));
