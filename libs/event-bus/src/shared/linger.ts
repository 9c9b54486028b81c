/**
 * Milliseconds a consumer waits after a batch that was not full, so that the next one holds more than the single event
 * that came meanwhile: a transaction costs much the same for one event as for a hundred.
 */
export const LINGER_MS = 25;
