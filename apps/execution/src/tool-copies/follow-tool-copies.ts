import { tailOwnStore, type Tail } from '@capability-router/event-bus';
import { currentHorizon, eventTableSource } from '@capability-router/event-store';
import type pg from 'pg';
import type { Logger } from 'pino';
import { TOOL_COPIES_TOPIC, type ToolCopiesChanged } from './copy-tools.js';
import { allToolCopies, loadKnownCopies, loadToolCopies } from './tool-copies.sql.js';
import { MAX_KEPT_CONTRACTS, type ToolDirectory } from './tool-directory.js';

/** Milliseconds between looks at the own store; a change is a matter of a catalogue import, not of a call. */
const POLL_INTERVAL_MS = 250;

/** Fills the directory, then keeps it up to date on this replica, whichever replica made the copy. */
export async function followToolCopies(pool: pg.Pool, directory: ToolDirectory, logger: Logger): Promise<Tail> {
  // Taken before the load: a change in between is read twice and not lost.
  const from = await currentHorizon(pool);
  // As many contracts as are kept: of a catalogue of usual size none has to be read later.
  const first: string[] = [];
  for await (const [toolId, copy] of allToolCopies(pool)) {
    directory.put(toolId, copy);
    if (first.length < MAX_KEPT_CONTRACTS) first.push(toolId);
  }
  for (const stored of await loadToolCopies(pool, first)) directory.putWhole(stored);
  return tailOwnStore(pool, {
    source: eventTableSource([TOOL_COPIES_TOPIC]),
    from,
    pollIntervalMs: POLL_INTERVAL_MS,
    logger,
    async handle(events) {
      const changed = new Set(events.flatMap((event) => (event.data as unknown as ToolCopiesChanged).toolIds));
      const whole = [...changed].filter((toolId) => directory.keeps(toolId));
      const known = [...changed].filter((toolId) => !directory.keeps(toolId));
      for (const stored of await loadToolCopies(pool, whole)) directory.putWhole(stored);
      for (const [toolId, copy] of await loadKnownCopies(pool, known)) directory.put(toolId, copy);
    },
  });
}
