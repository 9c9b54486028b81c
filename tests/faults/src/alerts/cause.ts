import type { Stand } from '../stand.js';
import type { Operator } from './operator.js';

/** Something that goes wrong on the real stack. */
export interface Cause {
  /** Says in words what happens. */
  readonly what: string;
  /** The alerts that tell of it; no other fires while it is there. */
  readonly alerts: readonly string[];
  /** Those that fire once more when it has ended, for as long as what it left is worked off. */
  readonly afterwards?: readonly string[];
  /** Those that fire beside them where the machine is slow. */
  readonly perhaps?: readonly string[];
  /** The file of `docs/runbooks` that is followed, without `.md`. */
  readonly runbook: string;
  /** Makes it happen. */
  begin(stand: Stand): Promise<Incident>;
}

/** The way of the runbook out of it. */
export interface Incident {
  /** Looks where the page has somebody look while the alerts fire. Rejects where that does not show what the page says. */
  look?(operator: Operator): Promise<void>;
  /** Does as the page says. */
  mend(operator: Operator): Promise<void>;
}
