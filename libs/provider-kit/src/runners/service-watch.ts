import { parentPort, workerData } from 'node:worker_threads';

/** Runs in a thread of a runner process and ends the process when the service that started it is gone. */

/** Milliseconds. */
const INTERVAL_MS = 1_000;

const { serviceId } = workerData as { readonly serviceId: number };
setInterval(() => {
  if (process.ppid !== serviceId) process.kill(process.pid, 'SIGKILL');
}, INTERVAL_MS);
parentPort?.postMessage('watching');
