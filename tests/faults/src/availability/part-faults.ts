import { freezePart, killPart, startPart, type PartName } from '@capability-router/tools-stack';
import { pause } from '../load.js';
import { AWAY_MS, type Fault } from './fault.js';
import type { Promised } from './seen-by-clients.js';

export const partDied = (part: 'postgres' | 'kafka', promised: Promised): Fault => ({
  name: `${part} is killed and started`,
  promised,
  async play({ stack }) {
    await killPart(stack.directory, part);
    await pause(AWAY_MS / 2);
    await startPart(stack.directory, part);
    await pause(AWAY_MS);
  },
});

export const partFrozen = (part: PartName, promised: Promised): Fault => ({
  name: `${part} is frozen by SIGSTOP`,
  promised,
  async play({ stack }) {
    const goOn = freezePart(stack.directory, part);
    await pause(AWAY_MS);
    goOn();
  },
});
