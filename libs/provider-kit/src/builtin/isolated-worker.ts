import { parentPort } from 'node:worker_threads';
import run from './worker.js';
import type { WorkerTask } from './worker-protocol.js';

/** The thread of a runner process: the same operations behind a plain message port. */
parentPort?.on('message', (task: WorkerTask) => {
  void run(task).then((answer) => parentPort?.postMessage(answer));
});
