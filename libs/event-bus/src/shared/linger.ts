/**
 * Milliseconds a consumer waits after a batch that was not full, so that the next one holds more than the single event
 * that came meanwhile: a transaction costs much the same for one event as for a hundred. The first event after a quiet
 * moment does not wait. A subscription that nobody waits for asks for more.
 */
export const DEFAULT_LINGER_MS = 100;
