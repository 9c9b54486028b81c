import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { types } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { FromRunner, OpenTasks, RunnerSettings, RunnerUsage, Tasks, ToRunner } from './messages.js';

/**
 * The process that runs what strangers wrote. Nothing here defends itself: whoever started it bounds its time and its
 * memory from outside, and ends it.
 */

const { tasksUrl, settings, serviceId } = JSON.parse(process.argv[2] ?? '{}') as RunnerSettings;
const say = (message: FromRunner): void => void process.send?.(message);

process.on('disconnect', () => process.exit(0));
// Ctrl-C in a terminal reaches every process of the group; the service lets its calls end first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// An endless loop hears of no disconnect, so a thread looks whether the service is still there.
const watch = new Worker(new URL('./service-watch.js', import.meta.url), {
  workerData: { serviceId },
  env: {},
  execArgv: [],
  resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
});
// The service measures what a process takes from when it is ready, so the thread has to be there by then.
const watching = once(watch, 'message').then(() => watch.unref());

try {
  // Where memory runs out, the kernel shall take this process and not the service.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Only Linux knows this.
}

const detailOf = (error: unknown): string =>
  types.isNativeError(error) ? (error.stack ?? error.message) : String(error);

try {
  const [{ openTasks }] = (await Promise.all([import(tasksUrl), watching])) as [
    { readonly openTasks: OpenTasks },
    void,
  ];
  const tasks = await openTasks(settings);
  process.on('message', (message: ToRunner) => {
    perform(tasks, message).then(say, (error: unknown) => say({ said: 'failed', detail: detailOf(error) }));
  });
  say({ said: 'ready' });
} catch (error) {
  process.send?.({ said: 'failed', detail: detailOf(error) } satisfies FromRunner, () => process.exit(1));
}

async function perform(tasks: Tasks, message: ToRunner): Promise<FromRunner> {
  if (message.do === 'prepare') {
    const limitMs = await tasks.prepare(message.kind);
    return { said: 'prepared', ...(limitMs === undefined ? {} : { limitMs }), ...usage() };
  }
  const answer = await tasks.run(message.kind, message.task);
  return { said: 'answered', answer, ...usage() };
}

function usage(): RunnerUsage {
  const { user, system } = process.cpuUsage();
  return { cpuUs: user + system, residentBytes: process.memoryUsage.rss() };
}
