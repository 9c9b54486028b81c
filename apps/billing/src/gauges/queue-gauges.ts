import { queuedKinds } from '../exceptions/domain/exception-kinds.js';
import type { MakeGauge } from './make-gauge.js';
import type { Queues } from './read-queues.sql.js';

/** Gauges of what waits in billing: holds, exceptions and parked events. */
export function queueGauges(gauge: MakeGauge): { show(queues: Queues): void } {
  const openHolds = gauge('open_holds', 'Holds that have not ended, counted up to 100,000.');
  const oldestHold = gauge('open_hold_oldest_seconds', 'Age of the oldest open hold; 0: there is none.');
  const openExceptions = gauge(
    'open_exceptions',
    'Exceptions that wait for a decision, counted up to 100,000.',
    'kind',
  );
  const oldestException = gauge('open_exception_oldest_seconds', 'Age of the oldest open exception; 0: there is none.');
  const parkedKeys = gauge('parked_keys', 'Accounts whose events wait behind one that could not be handled.', 'group');
  const parkedEvents = gauge('parked_events', 'Events that wait, of all such accounts.', 'group');
  return {
    show(queues) {
      openHolds.set(queues.openHolds);
      oldestHold.set(queues.oldestHoldSeconds);
      for (const kind of queuedKinds) openExceptions.set({ kind }, queues.exceptions.get(kind) ?? 0);
      oldestException.set(queues.oldestExceptionSeconds);
      parkedKeys.reset();
      parkedEvents.reset();
      for (const { group, keys, events } of queues.parked) {
        parkedKeys.set({ group }, keys);
        parkedEvents.set({ group }, events);
      }
    },
  };
}
