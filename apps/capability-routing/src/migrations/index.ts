import { Initial1763700000001 } from './0001-initial.js';

/** In the order in which they run. */
export const migrations = [Initial1763700000001];
