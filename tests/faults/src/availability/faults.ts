import { type Fault, frozenWithCalls, lostWithReplica, nothing, notServed, withoutDatabase } from './fault.js';
import { partDied, partFrozen } from './part-faults.js';
import { whileCreditsRunOut } from './poor-accounts.js';
import { capabilities, inspect, search } from './reads.js';
import { everythingKilled, frozen, gatewaysRolled, halfOpen, killed, rolled, skewed } from './replica-faults.js';
import { restarted } from './restarts.js';

const HOUR_MS = 3_600_000;
/** Longer than gateways wait for a replica that says nothing. */
const LOST_MS = 20_000;

const short = (fault: Fault): Fault => ({ ...fault, short: true });

/** Every fault with what it may cost, as `docs/availability.md` has them. */
export const faults: readonly Fault[] = [
  short(rolled('execution')),
  short(frozen('execution', frozenWithCalls)),
  short(halfOpen('billing', nothing)),
  rolled('billing'),
  rolled('identity'),
  rolled('registry', search, inspect),
  rolled('capability-routing', capabilities),
  gatewaysRolled,
  restarted('registry'),
  frozen('execution', frozenWithCalls, LOST_MS),
  frozen('billing', nothing),
  frozen('identity', nothing),
  killed('execution', lostWithReplica),
  killed('billing', nothing),
  killed('identity', nothing),
  halfOpen('execution', { ...frozenWithCalls, notRun: true, unrecorded: true }),
  skewed('billing', HOUR_MS),
  skewed('execution', -HOUR_MS),
  skewed('gateway', HOUR_MS, notServed),
  skewed('gateway', -HOUR_MS, notServed),
  whileCreditsRunOut(killed('execution', lostWithReplica)),
  whileCreditsRunOut(partDied('kafka', nothing)),
  partDied('kafka', nothing),
  partDied('postgres', withoutDatabase),
  partFrozen('kafka', nothing),
  partFrozen('postgres', withoutDatabase),
  partFrozen('redis', nothing),
  everythingKilled,
];
