/** Milliseconds of a clock that never steps, from any beginning. */
export type SteadyMs = () => number;
