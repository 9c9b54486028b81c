import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const TASKS = '/proc/self/task';
/** The name that Node gives the threads in which V8 marks and sweeps garbage and compiles; Node 20 gives none. */
const HELPER_NAME = 'V8Worker';

/**
 * V8's helper threads get a lower priority than the threads that answer requests. There are four of them, and where they
 * are as urgent as the others, a collection of all garbage takes most of a core for a tenth of a second. For the moment
 * in which a start is over: while it loads, whoever waits waits for what they compile. On Linux alone, where a thread has
 * a priority of its own; where the system refuses, everything stays as it is.
 */
export function lowerHelperThreads(): void {
  if (process.platform !== 'linux') return;
  try {
    const niceness = Math.min(
      getPriority() + constants.priority.PRIORITY_BELOW_NORMAL,
      constants.priority.PRIORITY_LOW,
    );
    for (const thread of readdirSync(TASKS)) {
      const name = readFileSync(`${TASKS}/${thread}/comm`, 'utf8').trim();
      if (name === HELPER_NAME) setPriority(Number(thread), niceness);
    }
  } catch {
    // Without /proc, or without the right: slower at the tail, and no less right.
  }
}
