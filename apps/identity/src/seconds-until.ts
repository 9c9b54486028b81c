const MS_PER_SECOND = 1_000;

/** The value of `Retry-After`: whole seconds, 1 at least. */
export const secondsUntil = (atMs: number, nowMs: number): number =>
  Math.max(1, Math.ceil((atMs - nowMs) / MS_PER_SECOND));
