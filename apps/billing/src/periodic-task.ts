import type { Logger } from 'pino';

/** Runs `task` again and again with a pause between; a failure is logged and the next round comes all the same. */
export function startPeriodicTask(
  intervalMs: number,
  logger: Logger,
  name: string,
  task: () => Promise<void>,
): { stop(): Promise<void> } {
  let stopped = false;
  let wake: () => void = () => undefined;
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, intervalMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const loop = async (): Promise<void> => {
    for (;;) {
      await pause();
      if (stopped) return;
      await task().catch((error: unknown) => logger.warn({ err: error }, `${name} failed; it will run again`));
    }
  };
  const running = loop();
  return {
    stop() {
      stopped = true;
      wake();
      return running;
    },
  };
}
