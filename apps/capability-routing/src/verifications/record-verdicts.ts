import type { ToolVerification, ToolVerificationRecorded } from '@capability-router/contracts';
import { type EventBatch, PermanentError } from '@capability-router/event-bus';
import type { Queryable } from '@capability-router/event-store';
import { saveVerdicts } from './tool-verifications.sql.js';

/** Keeps the last verdict of the registry about each tool. */
export async function recordVerdicts(tx: Queryable, events: EventBatch): Promise<void> {
  const verdicts = new Map<string, ToolVerification>();
  for (const event of events) {
    // Kinds that are added later concern readers that know them.
    if (event.type !== 'ToolVerificationRecorded') continue;
    const { toolId, ...verdict } = event.data as unknown as ToolVerificationRecorded;
    if (typeof toolId !== 'string' || Number.isNaN(Date.parse(verdict.recordedAt))) {
      throw new PermanentError(`event ${event.id} names no tool or no time`);
    }
    const known = verdicts.get(toolId);
    if (known === undefined || known.recordedAt <= verdict.recordedAt) verdicts.set(toolId, verdict);
  }
  await saveVerdicts(tx, verdicts);
}
