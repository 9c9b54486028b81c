import { Initial1700000000001 } from './0001-initial.js';

export const migrations = [Initial1700000000001];
