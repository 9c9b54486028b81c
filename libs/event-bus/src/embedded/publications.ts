import { type ContextName, topics as allTopics } from '@capability-router/contracts';
import type { OutboxSource } from '@capability-router/event-store';
import type pg from 'pg';

export interface Publication {
  readonly pool: pg.Pool;
  readonly source: ContextName;
  readonly outbox: OutboxSource;
}

/** Which outbox carries a topic: the one that names it, else the catch-all outbox of the topic's producer. */
export function findPublication(publications: readonly Publication[], topic: string): Publication | undefined {
  const named = publications.find(({ outbox }) => outbox.topics.includes(topic));
  if (named !== undefined) return named;
  const producer = allTopics.find(({ name }) => name === topic)?.producer;
  const catchAll = publications.filter(({ outbox }) => outbox.topics.length === 0);
  return catchAll.find(({ source }) => source === producer) ?? (catchAll.length === 1 ? catchAll[0] : undefined);
}
