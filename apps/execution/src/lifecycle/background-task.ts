import type { Logger } from 'pino';

export interface BackgroundTask {
  /** Resolves when the run in hand has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `task` again and again, `intervalMs` after the end of the run before, so that runs never overlap; the first time
 * after `firstAfterMs`.
 */
export function repeatEvery(
  name: string,
  intervalMs: number,
  task: () => Promise<void>,
  logger: Logger,
  firstAfterMs = intervalMs,
): BackgroundTask {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const run = async (): Promise<void> => {
    try {
      await task();
    } catch (err) {
      logger.error({ err, task: name }, 'a background task failed and runs again later');
    }
    schedule(intervalMs);
  };
  const schedule = (afterMs: number): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = run();
    }, afterMs);
  };
  schedule(firstAfterMs);
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
