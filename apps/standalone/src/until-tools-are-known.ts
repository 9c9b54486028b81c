import { setTimeout as delay } from 'node:timers/promises';
import type { RunningService } from '@capability-router/service-kit';

const POLL_MS = 10;
/** Milliseconds after which the doors open all the same: a copy may have been put aside, for an operator to look at. */
const PATIENCE_MS = 20_000;

/** Until every service that keeps copies of tools has those that are published, so that a tool that is found can be called. */
export async function untilToolsAreKnown(services: readonly Pick<RunningService, 'knownTools'>[]): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  const differ = (): boolean => new Set(services.flatMap(({ knownTools }) => knownTools?.() ?? [])).size > 1;
  while (differ() && performance.now() < deadline) await delay(POLL_MS);
}
