import type { ServiceEnvironment } from '@capability-router/tools-stack';

/** Sets the clock of a replica that was started as `skewable` wrong, and the next time right. */
export const SET_CLOCK = 'SIGUSR2';

const preload = new URL('../../dist/availability/skewed-clock.js', import.meta.url).href;

/** Variables of a replica whose clock can be set wrong by so many milliseconds while it runs. */
export const skewable = (skewMs: number): ServiceEnvironment => ({
  NODE_OPTIONS: `--import=${preload}`,
  CLOCK_SKEW_MS: String(skewMs),
});
