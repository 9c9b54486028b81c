/** Milliseconds of work without a turn of the event loop that count as a stall. */
const STALL_MS = 200;
const LOOK_EVERY_MS = 10;

/**
 * Does the work, and counts how often the thread's event loop stood still meanwhile because it had so much to do. What counts
 * is the processor's time that the thread itself took between two turns: a busy machine that stops the process for a
 * moment adds none to it.
 */
export async function stallsDuring(work: () => Promise<unknown>): Promise<number> {
  let stalls = 0;
  let before = threadCpuMs();
  const look = (): void => {
    const now = threadCpuMs();
    if (now - before >= STALL_MS) stalls += 1;
    before = now;
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  look();
  return stalls;
}

interface ThreadCpu {
  /** Microseconds; of Node since 23.9, and not in the types of Node 20. */
  threadCpuUsage?: () => { readonly user: number; readonly system: number };
}

/** Milliseconds of a processor that this thread has taken. */
export function threadCpuMs(): number {
  // Where it is missing, what the whole process took is no less.
  const { user, system } = (process as ThreadCpu).threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1_000;
}
