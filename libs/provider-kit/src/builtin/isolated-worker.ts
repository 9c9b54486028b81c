import { parentPort } from 'node:worker_threads';
import run, { runLimitMs } from './worker.js';
import type { OperationBegins, WorkerTask } from './worker-protocol.js';

/** The thread of a runner process: the same operations behind a plain message port. */
parentPort?.on('message', (task: WorkerTask) => {
  const limitMs = runLimitMs(task.operation);
  if (limitMs !== undefined) parentPort?.postMessage({ limitMs } satisfies OperationBegins);
  void run(task).then((answer) => parentPort?.postMessage(answer));
});
