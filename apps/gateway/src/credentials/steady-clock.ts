/** Injection token of `SteadyMs`. */
export const STEADY_MS = Symbol('milliseconds of a clock that never steps');

/** Milliseconds of a clock that never steps, from any beginning. */
export type SteadyMs = () => number;
