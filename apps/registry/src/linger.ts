/** Milliseconds for a fuller batch: what is counted shows with the next refresh only. */
export const LINGER_MS = 1_000;
