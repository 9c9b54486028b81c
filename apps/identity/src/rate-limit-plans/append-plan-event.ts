import { topicNames, type RateLimitPlanEvent } from '@capability-router/contracts';
import { appendToStream } from '@capability-router/event-store';
import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { logDeploymentFact } from '../security-log/log-facts.js';

type PlanFact = {
  [E in RateLimitPlanEvent as E['type']]: { type: E['type']; data: E['data'] };
}[RateLimitPlanEvent['type']];

/** Plans are no accounts: no id of an account looks like this. */
export const streamOfPlan = (name: string): string => `rate-limit-plan:${name}`;

/** Appends to the plan's stream, and to the security log, inside the caller's transaction, which holds the lock of all plans. */
export async function appendPlanEvent(tx: pg.ClientBase, fact: PlanFact, nowMs: number): Promise<void> {
  const stream = streamOfPlan(fact.data.plan);
  const event = { ...fact, topic: topicNames.accounts, partitionKey: stream, time: toIso(nowMs) };
  const result = await appendToStream(tx, 'identity', stream, 'any', [event]);
  if (result.status !== 'appended')
    throw new Error(`${stream} moved to ${result.actualSequence} under the plans' lock`);
  const action = fact.type === 'RateLimitPlanRemoved' ? 'plan.removed' : 'plan.changed';
  await logDeploymentFact(tx, { action, object: { type: 'rate_limit_plan', id: fact.data.plan } }, nowMs);
}
