/** Milliseconds for a fuller batch: what is counted shows with the next refresh only, what is erased with the next round. */
export const LINGER_MS = 1_000;
