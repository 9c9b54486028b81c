// Named as it stands, so that a bundle takes it in.
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

const patched = Symbol.for('capability-router.kafkajs-timer-patch');

interface Queue {
  [patched]?: boolean;
  pending: unknown[];
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  scheduleCheckPendingRequests(): void;
  checkPendingRequests(): void;
}

const CHECK_PENDING_REQUESTS_INTERVAL_MS = 10;

/**
 * kafkajs 2.2.4 re-arms a timer of 1 ms on every idle connection: its check for throttled requests schedules itself
 * again with a negative delay even when nothing waits. This version schedules only when something does; every request
 * that has to wait schedules the check itself, so none is forgotten. Over twenty idle connections the original costs a
 * quarter of a two-core machine. Does nothing where the internals look different.
 */
export function patchIdleTimer(): boolean {
  const { prototype } = RequestQueue as { prototype?: Queue };
  if (typeof prototype?.scheduleCheckPendingRequests !== 'function') return false;
  if (prototype[patched] === true) return true;
  prototype[patched] = true;
  prototype.scheduleCheckPendingRequests = function (this: Queue): void {
    if (this.throttleCheckTimeoutId !== null || this.pending.length === 0) return;
    const throttledMs = this.throttledUntil - Date.now();
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null;
        this.checkPendingRequests();
      },
      throttledMs > 0 ? throttledMs : CHECK_PENDING_REQUESTS_INTERVAL_MS,
    );
  };
  return true;
}
